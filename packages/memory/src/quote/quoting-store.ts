import { auditQuoting, type QuotingStore } from '@quipu/core/operator'
import type { Database } from '../database.ts'
import { writeAudit } from '../tenant/audit-log.ts'

export const memoryQuotingStore = (database: Database): QuotingStore => ({
  get: async () => database.quoting,
  set: async (status, change) => {
    if (database.quoting.status === status) return 'stale'
    database.quoting = { status, change }
    writeAudit(database, auditQuoting(status, change))
    return 'committed'
  },
})
