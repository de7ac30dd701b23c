import type { AuditLog } from '@quipu/core'
import type { Database } from './database.ts'

export const memoryAuditLog = (database: Database): AuditLog => ({
  list: async ({ subject, limit }) =>
    database.audit
      .filter((entry) => subject === undefined || entry.subject === subject)
      .toReversed()
      .slice(0, limit),
})
