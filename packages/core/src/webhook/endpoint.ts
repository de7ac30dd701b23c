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
  readonly consecutiveExhausted: number
  /** Null while it is active. */
  readonly pausedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A signing secret as it is kept: sealed for its endpoint's id. */
export type SealedSecret = {
  readonly sealed: string
  readonly createdAt: Date
  /** Until then deliveries are signed with it too; null for the newest. */
  readonly expiresAt: Date | null
}

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
export type Ending = 'delivered' | 'exhausted'

/** How many events in a row have run out of attempts, after one more has ended. @source spec §6.4 */
export const streakAfter = (streak: number, ending: Ending): number =>
  ending === 'delivered' ? 0 : streak + 1

/**
 * The secrets after a rotation, newest first.
 *
 * The newest until now stays valid for the grace, the others for as long as they were promised.
 *
 * @returns undefined when more secrets would be valid at once than may be
 */
export function rotateSecrets(
  secrets: readonly SealedSecret[],
  next: Omit<SealedSecret, 'expiresAt'>,
  graceSeconds: number,
  { secretsPerEndpoint }: EndpointPolicy,
): readonly SealedSecret[] | undefined {
  const now = next.createdAt
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000)
  const older = secrets.map((secret) => ({ ...secret, expiresAt: secret.expiresAt ?? graceEnd }))
  const rotated = [{ ...next, expiresAt: null }, ...validSecrets(older, now)]
  return rotated.length > secretsPerEndpoint ? undefined : rotated
}

/** Those that are signed with at this instant. */
export const validSecrets = (
  secrets: readonly SealedSecret[],
  now: Date,
): readonly SealedSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
