import { type ApiKeyScope } from '../access/api-key-scope.ts'
import { sha256 } from '../digest.ts'
import type { RandomBytes } from '../ids.ts'
import type { Tenant } from '../tenant/tenant.ts'

/** `live` in production, `test` in the sandbox, `mock` on the example server. */
export const apiKeyKinds = ['live', 'test', 'mock'] as const
/** One of them. */
export type ApiKeyKind = (typeof apiKeyKinds)[number]

/** The kind of an installation's keys. */
export const keyKindOf = (environment: 'sandbox' | 'production'): ApiKeyKind =>
  environment === 'production' ? 'live' : 'test'

/** The record of an API key. The key itself is shown once and stored as a hash. */
export type ApiKey = {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  /** `qpu_test_`. */
  readonly prefix: string
  readonly lastFour: string
  /** SHA-256 of the whole key. */
  readonly hash: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdAt: Date
  /** Null while its proposal is not approved. */
  readonly activatedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** The key that this one replaces; null when it replaces none. */
  readonly replaces: KeyReplacement | null
  /** IPv4 and IPv6 addresses, and CIDRs of them, from which it may be used; null: from every address. */
  readonly allowedAddresses: readonly string[] | null
}

/** How a key replaces another one. */
export type KeyReplacement = {
  readonly keyId: string
  /** How long the replaced key still works once the new one does: 0 to `overlapSeconds.max`. */
  readonly overlapSeconds: number
}

/** How long a replaced key still works. */
export const overlapSeconds = { max: 2_592_000, default: 86_400 } as const

/** When a key that is replaced at this instant expires. */
export function replacedKeyExpiry(
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  { overlapSeconds: seconds }: KeyReplacement,
  at: Date,
): Date {
  const end = new Date(at.getTime() + seconds * 1_000)
  return expiresAt !== null && expiresAt < end ? expiresAt : end
}

/** The tenant and key of an authenticated request. */
export type Caller = { readonly tenant: Tenant; readonly key: ApiKey }

/** The prefix of keys of this kind: `qpu_test_`. */
export const apiKeyPrefix = (kind: ApiKeyKind): string => `qpu_${kind}_`

/**
 * Makes a key of 160 random bits, with the members of its record that derive from it.
 *
 * @param cell  the letter of the cell, after which a load balancer routes; left out in an installation without cells
 */
export function makeApiKey(
  kind: ApiKeyKind,
  random: RandomBytes,
  cell = '',
): { key: string } & Pick<ApiKey, 'prefix' | 'lastFour' | 'hash'> {
  const prefix = apiKeyPrefix(kind)
  const key = prefix + cell + Array.from(random(20), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { key, prefix, lastFour: key.slice(-4), hash: apiKeyHash(key) }
}

/** The hash that a key is looked up by. The key has 160 random bits, so an unsalted digest suffices. */
export const apiKeyHash = (key: string): string => sha256(key)

/** Whether one person alone cannot issue a key with this prefix and these scopes: it moves real money. */
export const keyNeedsTwo = ({ prefix, scopes }: Pick<ApiKey, 'prefix' | 'scopes'>): boolean =>
  scopes.includes('payouts:write') && prefix === apiKeyPrefix('live')

/** Every status of a key. */
export const apiKeyStatuses = ['active', 'inactive', 'expired', 'revoked'] as const
/** `inactive`: its proposal is not approved. */
export type ApiKeyStatus = (typeof apiKeyStatuses)[number]

/** The status of the key at `now`. A key that was revoked stays `revoked` when its expiry passes. */
export function apiKeyStatusAt(
  { activatedAt, expiresAt, revokedAt }: Pick<ApiKey, 'activatedAt' | 'expiresAt' | 'revokedAt'>,
  now: Date,
): ApiKeyStatus {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && now >= expiresAt) return 'expired'
  return activatedAt === null ? 'inactive' : 'active'
}

/** Whether the key may be used at `now`. @source spec §5: revoked, expired, or tenant suspended */
export const isKeyUsable = ({ key, tenant }: Caller, now: Date): boolean =>
  apiKeyStatusAt(key, now) === 'active' && tenant.status === 'active'
