import type { Ids, RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { type ApiKey, type ApiKeyKind, makeApiKey } from './api-key.ts'
import type { ApiKeyStore, TenantStore } from './ports.ts'

/** The members of a new key that an operator chooses. */
export type NewApiKey = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>

/** An operator's actions on API keys; the audit log records each. */
export type ManageApiKeys = {
  /**
   * Issues a key: `key` is answered only here. Undefined when the tenant does not exist; `already_expired`,
   * with no key issued, when `expiresAt` is not in the future.
   */
  issue(
    actor: string,
    tenantId: string,
    input: NewApiKey,
  ): Promise<{ key: string; record: ApiKey } | 'already_expired' | undefined>
  /** Revokes the key, which stops working within `keyCacheSeconds`. Idempotent. Undefined when there is no such key. */
  revoke(actor: string, id: string): Promise<true | undefined>
}

/** The ports of `manageApiKeys`. */
export type ManageApiKeysPorts = {
  readonly apiKeys: ApiKeyStore
  readonly tenants: Pick<TenantStore, 'find'>
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
}

/**
 * Issues and revokes API keys. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const apiKeys = manageApiKeys(ports, 'test')
 * const input = { name: 'reports', scopes: ['wallet:read'], expiresAt: null } as const
 * const issued = await apiKeys.issue('ana', tenant.id, input)
 * if (issued === undefined || issued === 'already_expired') throw new Error(issued)
 * console.log(issued.key.startsWith('qpu_test_'), issued.record.scopes) // true [ 'wallet:read' ]
 * console.log(await apiKeys.revoke('ana', issued.record.id)) // true
 * ```
 */
export const manageApiKeys = (ports: ManageApiKeysPorts, kind: ApiKeyKind): ManageApiKeys => ({
  async issue(actor, tenantId, { name, scopes, expiresAt }) {
    if (!(await ports.tenants.find(tenantId))) return undefined
    const createdAt = ports.now()
    if (expiresAt !== null && expiresAt <= createdAt) return 'already_expired'
    const { key, ...kept } = makeApiKey(kind, ports.random)
    const record: ApiKey = {
      id: ports.ids.next('key', createdAt),
      tenantId,
      name,
      ...kept,
      scopes,
      createdAt,
      lastUsedAt: null,
      expiresAt,
      revokedAt: null,
    }
    await ports.apiKeys.insert(record, actor)
    return { key, record }
  },

  async revoke(actor, id) {
    const record = await ports.apiKeys.find(id)
    if (!record) return undefined
    if (record.revokedAt) return true
    // Safe to ignore: `stale` means that it has been revoked concurrently.
    await ports.apiKeys.revoke(record, { actor, at: ports.now() })
    return true
  },
})
