import { auditQuoting, type QuotingStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'

export const memoryQuotingStore = (database: Database): QuotingStore => ({
  get: async () => database.quoting,
  set: async (status, change, by) => {
    const acting = actingToken(database, by, change.at, writers)
    if (!acting) return 'unauthorized'
    if (database.quoting.status === status) return 'stale'
    database.quoting = { status, change }
    writeAudit(database, auditQuoting(status, change, acting.author))
    return 'committed'
  },
})
