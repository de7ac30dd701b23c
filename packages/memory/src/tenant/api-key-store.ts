import type { ApiKeyStore, ApiKeyRef } from '@quipu/core/adapter'
import { keyIssued, keyRevoked } from '@quipu/core/operator'
import { writeAudit } from './audit-log.ts'
import { type Database, positionOf, tenantDataOf } from '../database.ts'

export const memoryApiKeyStore = (database: Database): ApiKeyStore => ({
  insert: async (key, actor) => {
    tenantDataOf(database, key.tenantId).keyOrder.add(positionOf(key))
    database.keys.set(key.id, { ...key, lastUsedAt: null, revokedAt: null })
    database.keyHashes.set(key.hash, key.id)
    writeAudit(database, keyIssued(key, actor))
  },
  find: async (id) => database.keys.get(id),
  findCaller: async (hash) => {
    const key = database.keys.get(database.keyHashes.get(hash) ?? '')
    const tenant = key && database.tenants.get(key.tenantId)?.tenant
    return key && tenant && { tenant, key }
  },
  list: async (tenantId, query) =>
    database.tenants.get(tenantId)?.keyOrder.page(query, (id) => database.keys.get(id)) ?? {
      items: [],
      next: null,
    },
  revoke: async (ref, author) => {
    const key = keyOf(database, ref)
    if (key === undefined || key.revokedAt !== null) return 'stale'
    database.keys.set(key.id, { ...key, revokedAt: author.at })
    writeAudit(database, keyRevoked(key, author))
    return 'committed'
  },
  touch: async (ref, at) => {
    const key = keyOf(database, ref)
    if (key === undefined || (key.lastUsedAt !== null && at <= key.lastUsedAt)) return
    database.keys.set(key.id, { ...key, lastUsedAt: at })
  },
})

function keyOf({ keys }: Database, { id, tenantId }: ApiKeyRef) {
  const key = keys.get(id)
  return key?.tenantId === tenantId ? key : undefined
}
