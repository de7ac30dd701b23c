import type { Ids, RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { type ApiKey, apiKeyKinds, apiKeyPrefix, type Caller, makeApiKey } from './api-key.ts'
import type { ApiKeyStore } from './ports.ts'

/** A key that a tenant has replaced, or why it has not. */
export type RotateOwnKeyAnswer =
  /** `key` is answered only here. */
  | { readonly type: 'rotated'; readonly key: string; readonly record: ApiKey }
  /** `wider`: the other key has a scope that the caller's lacks, or may be used from other addresses. */
  | { readonly type: 'refused'; readonly code: 'not_found' | 'not_active' | 'wider' | 'unauthorized' }

/**
 * A tenant's changes of its keys, by a key with `keys:write`. The audit log records each, and the technical contact is
 * notified. `unauthorized`: the caller's key has ceased to work.
 */
export type ManageOwnKeys = {
  /**
   * Replaces the caller's key, or one whose scopes it all has. Nothing widens: name, scopes and addresses stay, and the
   * new key expires with the old one, at the latest with the caller's.
   *
   * @param overlapSeconds  how long the old key still works
   */
  rotate(caller: Caller, id: string, overlapSeconds: number, address: string | null): Promise<RotateOwnKeyAnswer>
  /** Revokes a key of the tenant. Idempotent. `last`: the only one with `keys:write` that works. */
  revoke(caller: Caller, id: string, address: string | null): Promise<'revoked' | 'not_found' | 'last' | 'unauthorized'>
}

/** The ports of `manageOwnKeys`. */
export type ManageOwnKeysPorts = {
  readonly apiKeys: Pick<ApiKeyStore, 'find' | 'revokeOwn' | 'rotateOwn'>
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
}

/**
 * Rotates and revokes a tenant's keys. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const scopes = ['keys:write'] as const
 * const issued = await manageApiKeys(ports, 'test').issue(ana, tenant.id, { name: 'tills', scopes, expiresAt: null })
 * if (issued.type === 'refused') throw new Error(issued.code)
 * const caller = { tenant, key: issued.record }
 * const keys = manageOwnKeys(ports)
 * console.log(await keys.revoke(caller, issued.record.id, null)) // last
 * const rotated = await keys.rotate(caller, issued.record.id, 0, null)
 * console.log(rotated.type) // rotated
 * ```
 */
export function manageOwnKeys({ apiKeys, ids, random, now }: ManageOwnKeysPorts): ManageOwnKeys {
  const own = async ({ tenant }: Caller, id: string): Promise<ApiKey | undefined> => {
    const record = await apiKeys.find(id)
    return record?.tenantId === tenant.id ? record : undefined
  }
  return {
    async rotate(caller, id, overlapSeconds, address) {
      const old = await own(caller, id)
      const kind = apiKeyKinds.find((each) => apiKeyPrefix(each) === old?.prefix)
      if (!old || !kind) return { type: 'refused', code: 'not_found' }
      const at = now()
      const { key, hash, lastFour } = makeApiKey(kind, random, ids.cell)
      const replaces = { keyId: id, overlapSeconds }
      const rotated = { id: ids.next('key', at), hash, lastFour, replaces }
      const result = await apiKeys.rotateOwn(rotated, { hash: caller.key.hash, address, at })
      if (result === 'stale') return { type: 'refused', code: 'not_active' }
      if (result !== 'committed') return { type: 'refused', code: result }
      const record = await apiKeys.find(rotated.id)
      if (!record) throw new Error(`no API key ${rotated.id}`)
      return { type: 'rotated', key, record }
    },

    async revoke(caller, id, address) {
      const record = await own(caller, id)
      if (!record) return 'not_found'
      if (record.revokedAt) return 'revoked'
      const result = await apiKeys.revokeOwn(id, { hash: caller.key.hash, address, at: now() })
      // `stale`: it has been revoked concurrently.
      return result === 'committed' || result === 'stale' ? 'revoked' : result
    },
  }
}
