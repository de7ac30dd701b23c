import type { ReconciliationCheck, ReconciliationRun } from '@quipu/core/operator'

/** A row of `quipu.reconciliation_run`, as `runColumns` names it. */
export type RunRow = {
  readonly id: string
  readonly check_name: ReconciliationCheck
  readonly from_at: Date | null
  readonly to_at: Date | null
  readonly day: string | null
  readonly requested_by: string | null
  readonly created_at: Date
  readonly position: bigint
  readonly slices: number
  readonly compared: bigint
  readonly differences: bigint
  readonly failure: string | null
  readonly completed_at: Date | null
  readonly mac: string | null
  readonly fencing_token: number
}

/** The columns of table `r` that `runFromRow` needs. */
export const runColumns = `r.id, r.check_name, r.from_at, r.to_at, r.scheduled_for::text as day, r.requested_by,
  r.created_at, r.position, r.slices, r.compared, r.differences, r.failure, r.completed_at, r.mac,
  r.fencing_token`

export const runFromRow = (row: RunRow): ReconciliationRun => ({
  id: row.id,
  check: row.check_name,
  period: row.from_at && row.to_at && { from: row.from_at, to: row.to_at },
  scheduledFor: row.day,
  requestedBy: row.requested_by,
  createdAt: row.created_at,
  position: Number(row.position),
  slices: row.slices,
  compared: Number(row.compared),
  differences: Number(row.differences),
  completedAt: row.completed_at,
  failure: row.failure,
  mac: row.mac,
})
