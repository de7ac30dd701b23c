import type { RaiseAlert } from '../alert.ts'
import type { RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { type EncryptedSecret, failingAlertSeconds, hasOneNewest, secretContext, validSecrets } from './endpoint.ts'
import { nextRetry, type RetryPolicy } from './retry-policy.ts'
import type { ClaimedDelivery, DeliveryStore, RecordedAttempt } from './ports.ts'
import type { SecretBox } from './secret-box.ts'
import type { AttemptError, AttemptResult, WebhookSender } from './sender.ts'
import { signWebhook } from './signature.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

type SigningPorts = {
  readonly secretBox: Pick<SecretBox, 'decrypt'>
  readonly sender: WebhookSender
  readonly now: Clock
  readonly signedAt?: Clock
}

/** The ports of `deliver`. */
export type DeliverPorts = {
  readonly deliveries: Pick<DeliveryStore, 'record'>
  readonly secretBox: Pick<SecretBox, 'decrypt'>
  readonly sender: WebhookSender
  readonly random: RandomBytes
  readonly now: Clock
  /** The clock of signatures; `now` by default. */
  readonly signedAt?: Clock
  readonly raiseAlert: RaiseAlert
}

/** How events are sent and retried. */
export type DeliverSettings = {
  readonly retryPolicy: RetryPolicy
  /** How many consecutive failures pause an endpoint. */
  readonly pauseAfter: number
  /** After how many seconds without a successful attempt an alert is raised; `failingAlertSeconds` by default. */
  readonly alertAfterSeconds?: number
  /** The prefix of the signature's and the event id's headers: `X-`. */
  readonly headerPrefix: string
}

const deliverSettingsShape: SettingsShape<DeliverSettings> = {
  retryPolicy: { attempts: 'positive', firstDelaySeconds: 'number', maxDelaySeconds: 'number' },
  pauseAfter: 'positive',
  headerPrefix: 'string',
}

/**
 * Makes one attempt and records it. @returns the record, and the attempt's error
 *
 * @throws Unavailable when the record was not written
 */
export type Deliver = (claimed: ClaimedDelivery) => Promise<RecordedAttempt & Pick<AttemptResult, 'error'>>

/** A longer answer moves its endpoint to the slow class. */
const slowMs = 3_000

/** After this many consecutive leases without a record, a delivery counts as failed. */
const leasesToAbandon = 10

/**
 * Attempts one delivery, at least once in all: when a worker dies between the answer and its record, the lease expires
 * and the event is sent again with the same id and bytes. Only the newest claim may record it: an older one is `stale`.
 *
 * @source spec §6 Delivery
 * @example
 * ```ts
 * const send = deliver(ports, { retryPolicy: defaultRetryPolicy, pauseAfter: 5, headerPrefix: 'X-' })
 * const share = { limit: 10, perEndpoint: 10, perTenant: 10, catchUpPerSecond: 100 }
 * const query = { ...share, leaseSeconds: 60, deliveryClass: 'fast' } as const
 * for (const claimed of await ports.deliveries.claimDue(query)) {
 *   const recorded = await send(claimed)
 *   console.log(recorded.type) // recorded
 * }
 * ```
 */
export function deliver(ports: DeliverPorts, settings: DeliverSettings): Deliver {
  checkSettings('deliver', settings, deliverSettingsShape)
  const { retryPolicy, pauseAfter, alertAfterSeconds = failingAlertSeconds, headerPrefix } = settings

  const send = sendSigned(ports, headerPrefix)
  return async (claimed) => {
    const { claim, attempt, isResend, lostLeases } = claimed
    const at = ports.now()
    const isAbandoned = lostLeases >= leasesToAbandon
    const result = isAbandoned ? unsent('ABANDONED') : await send(claimed)
    const [jitter = 0] = result.error === null ? [] : ports.random(1)
    const policy = isResend ? { ...retryPolicy, attempts: attempt } : retryPolicy
    const recorded = await ports.deliveries.record({
      claim,
      attempt: { ...result, at },
      decision: nextRetry(policy, attempt, result.error, jitter / 256),
      isSlow: result.error !== null || result.latencyMs > slowMs,
      pauseAfter,
      alertAfterSeconds,
    })
    if (recorded.type === 'recorded') raiseAlerts(ports.raiseAlert, claimed, { ...recorded, ...result })
    return { ...recorded, error: result.error }
  }
}

/** The parts of a delivery that a signed request needs. */
type Signable = Pick<ClaimedDelivery, 'claim' | 'url' | 'secrets' | 'body'>

/** Signs the event's bytes with every valid secret, and sends them. */
export function sendSigned(
  { secretBox, sender, now, signedAt = now }: SigningPorts,
  headerPrefix: string,
): (delivery: Signable) => Promise<AttemptResult> {
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

/** The keys of the valid secrets. Deliveries claimed together share one array of secrets: it is decrypted once. */
function signingKeys(
  secretBox: Pick<SecretBox, 'decrypt'>,
): (endpointId: string, secrets: readonly EncryptedSecret[], now: Date) => Keys {
  type Cached = { readonly endpointId: string; readonly valid: number; readonly keys: Keys }
  const cache = new WeakMap<readonly EncryptedSecret[], Cached>()
  return (endpointId, secrets, now) => {
    const valid = validSecrets(secrets, now)
    const cached = cache.get(secrets)
    if (cached?.endpointId === endpointId && cached.valid === valid.length) return cached.keys
    const keys = decrypted(secretBox, endpointId, valid)
    if (keys) cache.set(secrets, { endpointId, valid: valid.length, keys })
    return keys
  }
}

/** Undefined when the stored secrets were changed, or encrypted with another key. */
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

const unsent = (error: AttemptError): AttemptResult => ({ statusCode: null, latencyMs: 0, error, excerpt: null })

function raiseAlerts(
  raiseAlert: RaiseAlert,
  { tenantId, claim, url }: ClaimedDelivery,
  { hasPaused, isFailingLong, error }: Found,
): void {
  const about = { tenantId, subject: claim.endpointId }
  const { host } = new URL(url)
  const last = `the last attempt: ${error}`
  if (hasPaused)
    raiseAlert({
      code: 'WEBHOOK_PAUSED',
      ...about,
      detail: `${host} is paused until its tenant reactivates it; ${last}`,
    })
  if (isFailingLong)
    raiseAlert({
      code: 'WEBHOOK_FAILING',
      ...about,
      detail: `${host} accepts no event; retrying until it is paused; ${last}`,
    })
}

type Found = Omit<Extract<RecordedAttempt, { readonly type: 'recorded' }>, 'type'> & Pick<AttemptResult, 'error'>
