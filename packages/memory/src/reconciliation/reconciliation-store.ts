import { isoText } from '@quipu/core/adapter'
import {
  reconciliationRequested,
  type ReconciliationClaim,
  type ReconciliationRun,
  type ReconciliationStore,
} from '@quipu/core/operator'
import { type Database, positionOf, secondsAfter } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { memoryComparedRecords } from './compared-records.ts'
import type { ReconciliationRow } from '../table/reconciliation-table.ts'

type Writes = Pick<ReconciliationStore, 'open' | 'claimDue' | 'advance' | 'yieldClaim'>

const writesOf = (database: Database): Writes => ({
  open: async (run, by, replaces) => {
    const acting = by && actingToken(database, by, run.createdAt, writers)
    if (run.scheduledFor === null && !acting) return 'unauthorized'
    if (run.scheduledFor !== null && run.scheduledFor > isoText(database.now()).slice(0, 10))
      throw new Error(`the day ${run.scheduledFor} has not begun`)
    const ofDay = scheduledOf(database, run.check).findLast(({ scheduledFor }) => scheduledFor === run.scheduledFor)
    if (ofDay && ofDay.id !== replaces) return 'exists'
    const none = { slices: 0, compared: 0, differences: 0, completedAt: null, failure: null, mac: null }
    const row = { run: { ...run, ...none }, fencingToken: 0, dueAt: new Date(0) }
    database.reconciliations.rows.set(run.id, row)
    database.reconciliations.order.add(positionOf(run))
    if (acting) writeAudit(database, reconciliationRequested(run, acting.author))
    return 'opened'
  },
  claimDue: async (checks, leaseSeconds) => {
    const [row] = rowsOf(database)
      .filter(({ run }) => run.completedAt === null && checks.includes(run.check))
      .filter(({ dueAt }) => dueAt <= database.now())
      .toSorted(
        (a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.run.createdAt.getTime() - b.run.createdAt.getTime(),
      )
    if (row === undefined) return undefined
    row.fencingToken++
    row.dueAt = secondsAfter(database.now(), leaseSeconds)
    const { run, fencingToken } = row
    return { claim: { id: run.id, fencingToken }, run }
  },
  advance: async (claim, { isLast, position, ...found }, at, mac) => {
    const row = rowFor(database, claim)
    if (row === undefined) return false
    const { run } = row
    row.dueAt = new Date(0)
    row.run = {
      ...run,
      position,
      slices: run.slices + 1,
      compared: run.compared + found.compared,
      differences: run.differences + found.differences,
      failure: null,
      completedAt: isLast ? at : null,
      mac: mac ?? null,
    }
    return true
  },
  yieldClaim: async (claim, failure, dueInSeconds) => {
    const row = rowFor(database, claim)
    if (row === undefined) return false
    row.dueAt = secondsAfter(database.now(), dueInSeconds)
    row.run = { ...row.run, failure }
    return true
  },
})

export const memoryReconciliationStore = (database: Database): ReconciliationStore => ({
  ...writesOf(database),
  find: async (id) => database.reconciliations.rows.get(id)?.run,
  list: async ({ check, isCompleted, ...query }) =>
    database.reconciliations.order.page(query, (id) => {
      const run = database.reconciliations.rows.get(id)?.run
      const isWanted =
        run !== undefined &&
        (check === undefined || run.check === check) &&
        (isCompleted === undefined || (run.completedAt !== null) === isCompleted)
      return isWanted ? run : undefined
    }),
  lastScheduled: async (check, days) =>
    Array.from(new Map(scheduledOf(database, check).map((run) => [run.scheduledFor ?? '', run])))
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .slice(0, days)
      .map(([, run]) => run),
  ...memoryComparedRecords(database),
})

/** In the order in which they were opened. */
const scheduledOf = (database: Database, check: string): readonly ReconciliationRun[] =>
  rowsOf(database).flatMap(({ run }) => (run.check === check && run.scheduledFor !== null ? [run] : []))

const rowsOf = ({ reconciliations }: Database): ReconciliationRow[] => Array.from(reconciliations.rows.values())

/** Undefined when a newer claim exists, or the run has completed. */
function rowFor(
  { reconciliations }: Database,
  { id, fencingToken }: ReconciliationClaim,
): ReconciliationRow | undefined {
  const row = reconciliations.rows.get(id)
  return row?.fencingToken === fencingToken && row.run.completedAt === null ? row : undefined
}
