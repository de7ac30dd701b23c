import type { ResolutionStore } from '@quipu/core/adapter'
import { mayAct } from '../access/may-act.ts'
import { type Database, tenantDataOf } from '../table/database.ts'

export const memoryResolutionStore = (database: Database): ResolutionStore => ({
  insert: async (resolution, keyId) => {
    if (!mayAct(database, resolution.tenantId, keyId)) return 'not_allowed'
    tenantDataOf(database, resolution.tenantId).resolutions.set(resolution.id, resolution)
    return 'committed'
  },
  find: async (tenantId, id) => database.tenants.get(tenantId)?.resolutions.get(id),
})
