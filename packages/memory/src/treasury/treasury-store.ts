import { auditMovement, type Movement, type TreasuryStore } from '@quipu/core/operator'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { pageOfAll } from '../page-of-all.ts'
import type { Database } from '../table/database.ts'

/** The operator's own database.movements, in memory. */
export const memoryTreasuryStore = (database: Database): TreasuryStore => {
  const isReversed = ({ id }: Movement) => database.movements.some(({ reverses }) => reverses === id)
  const write = (movement: Movement, by: Parameters<TreasuryStore['record']>[2]) => {
    const acting = actingToken(database, by, movement.createdAt, writers)
    if (!acting) return 'unauthorized'
    const stored = { ...movement, createdBy: acting.author.actor ?? '' }
    database.movements.push(stored)
    writeAudit(database, auditMovement(stored, acting.author))
    return 'committed'
  }
  return {
    record: async (movement, createdAt, by) => {
      if (!actingToken(database, by, createdAt, writers)) return 'unauthorized'
      const isSame = (each: Movement) => each.kind === movement.kind && each.reference === movement.reference
      if (database.movements.some((each) => isSame(each) && each.reverses === null && !isReversed(each)))
        return 'recorded'
      return write({ ...movement, reverses: null, createdBy: '', createdAt }, by)
    },
    reverse: async ({ id, of: reverses, reason, evidence }, createdAt, by) => {
      if (!actingToken(database, by, createdAt, writers)) return 'unauthorized'
      const of = database.movements.find((each) => each.id === reverses)
      if (of === undefined || of.reverses !== null || isReversed(of)) return 'stale'
      return write({ ...of, id, reverses, reason, evidence, createdAt }, by)
    },
    find: async (id) => database.movements.find((each) => each.id === id),
    list: async (query) => pageOfAll(database.movements, query),
  }
}
