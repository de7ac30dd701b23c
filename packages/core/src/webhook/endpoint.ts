import { byNameOnlyEventTypes, type TenantEventType } from '../event/event.ts'
import type { SettingsShape } from '../check-settings.ts'

/** An operator's pause of an endpoint, which its tenant cannot end. */
export type OperatorPause = {
  /** The person who operates. */
  readonly by: string
  readonly at: Date
  /** For operators: tenants do not see it. */
  readonly reason: string
}

/** A tenant's URL that receives its events. */
export type WebhookEndpoint = {
  /** `we_…` */
  readonly id: string
  readonly tenantId: string
  readonly url: string
  /** The subscribed types; null for all, including future ones, but for `byNameOnlyEventTypes`. */
  readonly events: readonly TenantEventType[] | null
  readonly description: string | null
  /** A paused endpoint's deliveries are queued until it is reactivated. */
  readonly status: 'active' | 'paused'
  /** How many consecutive deliveries were exhausted. */
  readonly consecutiveFailures: number
  /** Null while it is active. */
  readonly pausedAt: Date | null
  /** Whether its tenant has paused it; also while an operator's pause lasts. */
  readonly isPausedByTenant: boolean
  /** Null unless an operator has paused it: then only an operator resumes it. */
  readonly operatorPause: OperatorPause | null
  /** The shown facts of its signing secrets, newest first, expired ones included. */
  readonly secrets: readonly ShownSecret[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Whether an endpoint with this filter receives events of a type. */
export const isSubscribed = (events: WebhookEndpoint['events'], type: TenantEventType): boolean =>
  events === null ? !byNameOnlyEventTypes.includes(type) : events.includes(type)

/** The shown facts of a signing secret. */
export type ShownSecret = {
  /** The last four characters. */
  readonly lastFour: string
  /** Deliveries are signed with it until then; null for the newest secret only. */
  readonly expiresAt: Date | null
}

/** A stored signing secret. */
export type EncryptedSecret = ShownSecret & {
  /** Encrypted with the context of its endpoint and expiry (`secretContext`). */
  readonly ciphertext: string
  readonly createdAt: Date
}

/** The shown facts of an endpoint's stored secrets. */
export const shownSecrets = (secrets: readonly EncryptedSecret[]): readonly ShownSecret[] =>
  secrets.map(({ lastFour, expiresAt }) => ({ lastFour, expiresAt }))

/**
 * The associated data of a secret's encryption: a secret does not decrypt after it was moved to another
 * endpoint or its expiry was changed.
 */
export const secretContext = (endpointId: string, expiresAt: Date | null): string =>
  `${endpointId} ${expiresAt?.toISOString() ?? 'newest'}`

/**
 * The limits of endpoints.
 *
 * @source spec §8 Webhook auto-pause, Webhook redelivery on reactivate; the others are assumed
 */
export type EndpointPolicy = {
  readonly endpointsPerTenant: number
  /** The maximum number of valid secrets. */
  readonly secretsPerEndpoint: number
  /** How many consecutive failures pause an endpoint. */
  readonly pauseAfter: number
  /** A reactivation redelivers what was exhausted within this time. */
  readonly redeliverSeconds: number
}

/** The required members of `EndpointPolicy`. */
export const endpointPolicyShape: SettingsShape<EndpointPolicy> = {
  endpointsPerTenant: 'positive',
  secretsPerEndpoint: 'positive',
  pauseAfter: 'positive',
  redeliverSeconds: 'number',
}

/** The default limits. @source spec §8; the first two are assumed */
export const defaultEndpointPolicy: EndpointPolicy = {
  endpointsPerTenant: 16,
  secretsPerEndpoint: 5,
  pauseAfter: 5,
  redeliverSeconds: 7 * 86_400,
}

/** After this time without a successful attempt an alert is raised. */
export const failingAlertSeconds = 900

/** How a delivery ended. */
export type DeliveryOutcome = 'delivered' | 'exhausted'

/** The count of consecutive failures after one more delivery has ended. @source spec §6.4 */
export const consecutiveFailuresAfter = (failures: number, outcome: DeliveryOutcome): number =>
  outcome === 'delivered' ? 0 : failures + 1

/**
 * The secrets after a rotation, newest first.
 *
 * The previous newest secret stays valid for the grace period, the others keep their expiry. A grace period of 0 ends
 * them all, as which of them leaked may be unknown.
 *
 * @param next  the new secret, encrypted without an expiry
 * @param renew  encrypts a stored secret for its new expiry; undefined drops one that does not decrypt
 * @returns undefined when more than `secretsPerEndpoint` secrets would be valid
 */
export function rotateSecrets(
  secrets: readonly EncryptedSecret[],
  next: Omit<EncryptedSecret, 'expiresAt'>,
  { graceSeconds, policy }: { readonly graceSeconds: number; readonly policy: EndpointPolicy },
  renew: (secret: EncryptedSecret, expiresAt: Date) => string | undefined,
): readonly EncryptedSecret[] | undefined {
  if (graceSeconds === 0) return [{ ...next, expiresAt: null }]
  const now = next.createdAt
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000)
  const older = (hasOneNewest(secrets) ? secrets : secrets.filter(isRotated)).flatMap((secret) => {
    const expiresAt = secret.expiresAt ?? graceEnd
    const ciphertext = expiresAt > now ? renew(secret, expiresAt) : undefined
    return ciphertext === undefined ? [] : [{ ...secret, ciphertext, expiresAt }]
  })
  const rotated = [{ ...next, expiresAt: null }, ...older]
  return rotated.length > policy.secretsPerEndpoint ? undefined : rotated
}

const isRotated = ({ expiresAt }: EncryptedSecret): boolean => expiresAt !== null

/**
 * Whether exactly one secret has no expiry. Otherwise the stored row was tampered with: a rotated secret that
 * was restored to its former row still decrypts, and the newest one is not recognizable.
 */
export const hasOneNewest = (secrets: readonly EncryptedSecret[]): boolean =>
  secrets.length - secrets.filter(isRotated).length === 1

/** The secrets that sign at this instant. */
export const validSecrets = (secrets: readonly EncryptedSecret[], now: Date): readonly EncryptedSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
