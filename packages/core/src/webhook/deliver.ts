import type { RaiseAlert } from '../alert.ts'
import type { RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { hasOneNewest, type EncryptedSecret, secretContext, validSecrets } from './endpoint.ts'
import { nextRetry, type RetryPolicy } from './retry-policy.ts'
import type { ClaimedDelivery, DeliveryStore, RecordedAttempt } from './ports.ts'
import type { SecretBox } from './secret-box.ts'
import type { AttemptError, AttemptResult, WebhookSender } from './sender.ts'
import { signWebhook } from './signature.ts'

/** What every attempt is made with. */
export type SigningPorts = {
  readonly secretBox: Pick<SecretBox, 'decrypt'>
  readonly sender: WebhookSender
  readonly now: Clock
  /** What signatures are dated by, where `now` is not the time that receivers have. */
  readonly signedAt?: Clock
}

export type DeliverPorts = SigningPorts & {
  readonly deliveries: Pick<DeliveryStore, 'record'>
  readonly random: RandomBytes
  readonly raiseAlert: RaiseAlert
}

export type DeliverSettings = {
  readonly retryPolicy: RetryPolicy
  readonly pauseAfter: number
  /** What the signature's and the event id's headers begin with. */
  readonly headerPrefix: string
}

/** Sends what was claimed and records what came of it. @throws Unavailable when that is not on record */
export type Deliver = (claimed: ClaimedDelivery) => Promise<RecordedAttempt>

/** An answer that took longer puts its endpoint into the slow lane. @source assumed */
const slowMs = 3_000

/** After so many leases in a row that ended without a record something is wrong with it. @source assumed */
const leasesToAbandon = 10

/**
 * One attempt to deliver an event, at least once in all: a worker that dies between the answer and
 * its record leaves a lease that ends, and the event is sent again with the same id and bytes.
 *
 * @source spec §6 Delivery
 */
export function deliver(
  ports: DeliverPorts,
  { retryPolicy, pauseAfter, headerPrefix }: DeliverSettings,
): Deliver {
  const send = sendSigned(ports, headerPrefix)
  return async (claimed) => {
    const { claim, attempt, isResend, lostLeases } = claimed
    const at = ports.now()
    const isAbandoned = lostLeases >= leasesToAbandon
    const result = isAbandoned ? unsent('ABANDONED') : await send(claimed)
    const [lot = 0] = result.error === null ? [] : ports.random(1)
    const last = isResend ? { ...retryPolicy, attempts: attempt } : retryPolicy
    const recorded = await ports.deliveries.record({
      claim,
      attempt: { ...result, at },
      decision: nextRetry(last, attempt, result.error, lot / 256),
      isSlow: result.error !== null || result.latencyMs > slowMs,
      pauseAfter,
    })
    if (recorded.type === 'recorded' && recorded.hasPaused)
      tellPaused(ports.raiseAlert, claimed, result)
    return recorded
  }
}

/** What is sent, where to, and for whom. */
type Signable = Pick<ClaimedDelivery, 'claim' | 'url' | 'secrets' | 'body'>

/** Signs the bytes with every secret that is valid now, and sends them. */
export function sendSigned(
  { secretBox, sender, now, signedAt = now }: SigningPorts,
  headerPrefix: string,
): (what: Signable) => Promise<AttemptResult> {
  const [idName, signatureName] = [`${headerPrefix}Event-Id`, `${headerPrefix}Signature`] as const
  const keysOf = signingKeys(secretBox)
  return ({ claim: { endpointId, eventId }, url, secrets, body }) => {
    const keys = keysOf(endpointId, secrets, now())
    if (!keys) return Promise.resolve(unsent('SECRET_UNREADABLE'))
    const headers = {
      'Content-Type': 'application/json',
      [idName]: eventId,
      [signatureName]: signWebhook(keys, body, signedAt()),
    }
    return sender.send({ url, headers, body })
  }
}

type Keys = readonly string[] | undefined

/** The keys that sign now. Deliveries that were claimed together share their secrets: decrypted once. */
function signingKeys(
  secretBox: Pick<SecretBox, 'decrypt'>,
): (endpointId: string, secrets: readonly EncryptedSecret[], now: Date) => Keys {
  type Known = { readonly endpointId: string; readonly valid: number; readonly keys: Keys }
  const known = new WeakMap<readonly EncryptedSecret[], Known>()
  return (endpointId, secrets, now) => {
    const valid = validSecrets(secrets, now)
    const last = known.get(secrets)
    if (last?.endpointId === endpointId && last.valid === valid.length) return last.keys
    const keys = decrypted(secretBox, endpointId, valid)
    if (keys) known.set(secrets, { endpointId, valid: valid.length, keys })
    return keys
  }
}

/** Undefined when the stored secrets were changed, or were encrypted with another key. */
function decrypted(
  secretBox: Pick<SecretBox, 'decrypt'>,
  endpointId: string,
  secrets: readonly EncryptedSecret[],
): Keys {
  if (!hasOneNewest(secrets)) return undefined
  const texts = secrets.map(({ ciphertext, expiresAt }) =>
    secretBox.decrypt(ciphertext, secretContext(endpointId, expiresAt)),
  )
  const readable = texts.filter((text) => text !== undefined)
  return readable.length === texts.length ? readable : undefined
}

const unsent = (error: AttemptError): AttemptResult => ({
  statusCode: null,
  latencyMs: 0,
  error,
  excerpt: null,
})

function tellPaused(
  raiseAlert: RaiseAlert,
  claimed: ClaimedDelivery,
  { error }: AttemptResult,
): void {
  const { tenantId, claim, url } = claimed
  const detail = `${new URL(url).host} is paused until its tenant reactivates it; the last attempt: ${error}`
  raiseAlert({ code: 'WEBHOOK_PAUSED', tenantId, subject: claim.endpointId, detail })
}
