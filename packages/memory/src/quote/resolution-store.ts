import type { ResolutionStore } from '@quipu/core/adapter'
import { type Database, tenantDataOf } from '../table/database.ts'

export const memoryResolutionStore = (database: Database): ResolutionStore => ({
  insert: async (resolution) => {
    tenantDataOf(database, resolution.tenantId).resolutions.set(resolution.id, resolution)
  },
  find: async (tenantId, id) => database.tenants.get(tenantId)?.resolutions.get(id),
})
