import type { ReconciliationRun } from '@quipu/core/operator'
import { membersOf } from '../members.ts'

/** A row of `quipu.reconciliation_run`, as `runColumns` names it. */
export type RunRow = Omit<ReconciliationRun, 'period' | 'position' | 'compared' | 'differences'> & {
  readonly fromAt: Date | null
  readonly toAt: Date | null
  readonly position: bigint
  readonly compared: bigint
  readonly differences: bigint
}

/** The columns of table `r` that `runFromRow` needs. */
export const runColumns: string = `r.check_name as check, r.scheduled_for::text as "scheduledFor", ${membersOf(
  'r',
  'id from_at to_at requested_by created_at position slices compared differences failure completed_at mac',
)}`

export const runFromRow = ({ fromAt: from, toAt: to, ...row }: RunRow): ReconciliationRun => ({
  ...row,
  period: from && to && { from, to },
  position: Number(row.position),
  compared: Number(row.compared),
  differences: Number(row.differences),
})
