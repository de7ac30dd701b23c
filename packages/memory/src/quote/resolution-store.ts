import type { ResolutionStore } from '@quipu/core'
import { type Database, roomOf } from '../database.ts'

export const memoryResolutionStore = (database: Database): ResolutionStore => ({
  insert: async (resolution) => {
    roomOf(database, resolution.tenantId).resolutions.set(resolution.id, resolution)
  },
  find: async (tenantId, id) => database.rooms.get(tenantId)?.resolutions.get(id),
})
