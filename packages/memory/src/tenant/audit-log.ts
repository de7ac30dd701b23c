import type { AuditLog } from '@quipu/core/adapter'
import type { Database } from '../database.ts'

export const memoryAuditLog = (database: Database): AuditLog => ({
  record: async (entry) => void database.audit.push(entry),
  list: async ({ subject, tenantId, limit }) =>
    database.audit
      .filter((entry) => subject === undefined || entry.subject === subject)
      .filter((entry) => tenantId === undefined || entry.tenantId === tenantId)
      .toReversed()
      .slice(0, limit),
})
