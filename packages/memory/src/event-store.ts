import type { EventStore } from '@quipu/core'
import type { Database } from './database.ts'

export const memoryEventStore = (database: Database): EventStore => ({
  listBySubject: async (tenantId, subjectId) => [
    ...(database.rooms.get(tenantId)?.events.get(subjectId) ?? []),
  ],
})
