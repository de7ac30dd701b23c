import type { TenantEvent } from '../event/event.ts'

/** What an endpoint may be told of. */
export type TenantEventType = TenantEvent['type']

/** Where a tenant wants to be told what happens. */
export type WebhookEndpoint = {
  /** `we_…` */
  readonly id: string
  readonly tenantId: string
  readonly url: string
  /** Null: all types, also those that are still to come. */
  readonly events: readonly TenantEventType[] | null
  readonly description: string | null
  /** While it is paused its deliveries are held. */
  readonly status: 'active' | 'paused'
  /** How many events in a row have run out of attempts. */
  readonly consecutiveFailures: number
  /** Null while it is active. */
  readonly pausedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A signing secret as it is stored. */
export type EncryptedSecret = {
  /** Encrypted for its endpoint and expiry: see `secretContext`. */
  readonly ciphertext: string
  readonly createdAt: Date
  /** Until then deliveries are signed with it too; null for the newest, and for no other. */
  readonly expiresAt: Date | null
}

/**
 * The associated data of a secret's encryption. A secret that was moved to another endpoint, or
 * whose expiry was changed, does not decrypt.
 *
 * @source assumed
 */
export const secretContext = (endpointId: string, expiresAt: Date | null): string =>
  `${endpointId} ${expiresAt?.toISOString() ?? 'newest'}`

/** @source spec §8 Webhook auto-pause, Webhook redelivery on reactivate; the others are assumed */
export type EndpointPolicy = {
  readonly endpointsPerTenant: number
  /** How many secrets may be valid at once. */
  readonly secretsPerEndpoint: number
  /** So many events in a row that run out of attempts pause an endpoint. */
  readonly pauseAfter: number
  /** What ran out of attempts so long ago is sent again when its endpoint is reactivated. */
  readonly redeliverSeconds: number
}

export const defaultEndpointPolicy: EndpointPolicy = {
  endpointsPerTenant: 16,
  secretsPerEndpoint: 5,
  pauseAfter: 5,
  redeliverSeconds: 7 * 86_400,
}

/** How a delivery ended at its endpoint. */
export type DeliveryOutcome = 'delivered' | 'exhausted'

/** How many events in a row have run out of attempts, after one more has ended. @source spec §6.4 */
export const consecutiveFailuresAfter = (failures: number, outcome: DeliveryOutcome): number =>
  outcome === 'delivered' ? 0 : failures + 1

/**
 * The secrets after a rotation, newest first.
 *
 * The newest until now stays valid for the grace, the others for as long as they were promised.
 *
 * @param next  encrypted without an expiry
 * @param renew  encrypts a stored secret for its new expiry. Undefined drops the secret: it does not
 *   decrypt, so it signs nothing
 * @returns undefined when more secrets would be valid at once than may be
 */
export function rotateSecrets(
  secrets: readonly EncryptedSecret[],
  next: Omit<EncryptedSecret, 'expiresAt'>,
  { graceSeconds, policy }: { readonly graceSeconds: number; readonly policy: EndpointPolicy },
  renew: (secret: EncryptedSecret, expiresAt: Date) => string | undefined,
): readonly EncryptedSecret[] | undefined {
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
 * Whether exactly one secret has no expiry. Otherwise the stored row was changed: a rotated secret
 * that was put back as it had been before still decrypts, and nothing says which one is the newest.
 */
export const hasOneNewest = (secrets: readonly EncryptedSecret[]): boolean =>
  secrets.length - secrets.filter(isRotated).length === 1

/** Those that are signed with at this instant. */
export const validSecrets = (
  secrets: readonly EncryptedSecret[],
  now: Date,
): readonly EncryptedSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
