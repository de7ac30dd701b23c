import type { ReconciliationStore } from '@quipu/core/operator'
import { isDone } from '../claim-answer.ts'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { keysetOf, pageOf } from '../page.ts'
import { postgresComparedRecords } from './compared-records.ts'
import { runColumns, runFromRow, type RunRow } from './reconciliation-row.ts'

// Decided by migrations/0028-reconciliation-runs.sql.

const openReconciliation = statement('open_reconciliation')`
  select quipu.open_reconciliation($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as result`

const claimReconciliation = statement('claim_reconciliation')`
  select ${runColumns}, r.fencing_token as "fencingToken" from quipu.claim_reconciliation($1, $2, $3) r`

const advanceReconciliation = statement('advance_reconciliation')`
  select quipu.advance_reconciliation($1, $2, $3, $4, $5, $6, $7, $8) as done`

const yieldReconciliation = statement('yield_reconciliation')`
  select quipu.yield_reconciliation($1, $2, $3, $4, $5) as done`

const find = statement('reconciliation.find')`select ${runColumns} from quipu.reconciliation_run r where r.id = $1`

const list = statement('reconciliation.list')`
  select ${runColumns} from quipu.reconciliation_run r
  where (r.created_at, r.id) < ($1, $2) and ($4::text is null or r.check_name = $4)
    and ($5::boolean is null or (r.completed_at is not null) = $5)
  order by r.created_at desc, r.id desc limit $3`

const lastScheduled = statement('reconciliation.last_scheduled')`
  select distinct on (r.scheduled_for) ${runColumns} from quipu.reconciliation_run r
  where r.check_name = $1 and r.scheduled_for is not null
  order by r.scheduled_for desc, r.attempt desc limit $2`

/** Reconciliation runs in PostgreSQL, and the records that they compare. */
export const postgresReconciliationStore = (database: Database): ReconciliationStore => ({
  open: ({ id, check, period, scheduledFor, createdAt, position }, by, replaces) => {
    const values = [id, check, period?.from ?? null, period?.to ?? null, scheduledFor]
    return answer(database.write, openReconciliation, [
      ...values,
      by === undefined ? null : credentialJson(by),
      createdAt,
      position,
      replaces ?? null,
      database.clockOverride(),
    ])
  },
  claimDue: async (checks, leaseSeconds) => {
    const values = [checks, leaseSeconds, database.clockOverride()]
    const [row] = await database.query<RunRow & { fencingToken: number }>(claimReconciliation, values)
    if (row === undefined) return undefined
    const { fencingToken, ...run } = row
    return { claim: { id: run.id, fencingToken }, run: runFromRow(run) }
  },
  advance: async ({ id, fencingToken }, { position, compared, differences, isLast }, at, mac) => {
    const values = [id, fencingToken, position, compared, differences, isLast, at, mac ?? null]
    return isDone(database.query, advanceReconciliation, values)
  },
  yieldClaim: async ({ id, fencingToken }, failure, dueInSeconds) => {
    const values = [id, fencingToken, failure, dueInSeconds, database.clockOverride()]
    return isDone(database.query, yieldReconciliation, values)
  },
  find: async (id) => {
    const [row] = await database.read<RunRow>(find, [id])
    return row && runFromRow(row)
  },
  list: async ({ check, isCompleted, ...query }) => {
    const values = [...keysetOf(query), check ?? null, isCompleted ?? null]
    const rows = await database.read<RunRow>(list, values)
    return pageOf(rows.map(runFromRow), query.limit)
  },
  lastScheduled: async (check, days) => {
    const rows = await database.query<RunRow>(lastScheduled, [check, days])
    return rows.map(runFromRow)
  },
  ...postgresComparedRecords(database),
})
