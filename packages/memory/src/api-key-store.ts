import type { ApiKeyStore } from '@quipu/core'
import { type Database, positionOf, roomOf } from './database.ts'

export const memoryApiKeyStore = (database: Database): ApiKeyStore => ({
  insert: async (key, audit) => {
    roomOf(database, key.tenantId).keyOrder.add(positionOf(key))
    database.keys.set(key.id, key)
    database.keyHashes.set(key.hash, key.id)
    database.audit.push(audit)
  },
  find: async (id) => database.keys.get(id),
  findCaller: async (hash) => {
    const key = database.keys.get(database.keyHashes.get(hash) ?? '')
    const tenant = key && database.rooms.get(key.tenantId)?.tenant
    return key && tenant && { tenant, key }
  },
  list: async (tenantId, query) =>
    database.rooms.get(tenantId)?.keyOrder.page(query, (id) => database.keys.get(id)) ?? {
      items: [],
      next: null,
    },
  revoke: async (id, at, audit) => {
    const key = database.keys.get(id)
    if (key === undefined || key.revokedAt !== null) return 'stale'
    database.keys.set(id, { ...key, revokedAt: at })
    database.audit.push(audit)
    return 'committed'
  },
  touch: async (id, at) => {
    const key = database.keys.get(id)
    if (key === undefined || (key.lastUsedAt !== null && at <= key.lastUsedAt)) return
    database.keys.set(id, { ...key, lastUsedAt: at })
  },
})
