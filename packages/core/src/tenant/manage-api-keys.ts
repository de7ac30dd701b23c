import type { Ids, RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { type ApiKey, type ApiKeyKind, makeApiKey } from './api-key.ts'
import type { ApiKeyStore, TenantStore } from './ports.ts'

export type NewApiKey = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>

/** What an operator does to API keys; every change is in the audit log. */
export type ManageApiKeys = {
  /**
   * `key` is shown here and never again. Undefined: no such tenant. `already_expired`: `expiresAt` is
   * not in the future; nothing is issued.
   */
  issue(
    actor: string,
    tenantId: string,
    input: NewApiKey,
  ): Promise<{ key: string; record: ApiKey } | 'already_expired' | undefined>
  /** The key stops working within 5 s. Revoking twice is the same as once. Undefined: no such key. */
  revoke(actor: string, id: string): Promise<true | undefined>
}

export type ManageApiKeysPorts = {
  readonly apiKeys: ApiKeyStore
  readonly tenants: Pick<TenantStore, 'find'>
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
}

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
    // `stale`: another revocation came first.
    await ports.apiKeys.revoke(record, { actor, at: ports.now() })
    return true
  },
})
