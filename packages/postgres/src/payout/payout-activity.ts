import { activityPayoutsMax, type ActivityQuery, type ActivityStep, type PayoutActivity } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { idBoundsOf } from '../page.ts'

type Row = {
  /** Null in the row of the whole period, as is `status` in the row of a step. */
  readonly at: Date | null
  readonly status: keyof ActivityStep['outcomes'] | null
  readonly count: number
  readonly oldest: Date | null
  readonly median_ms: number | null
  readonly p95_ms: number | null
}

/** Ended payouts by id, newest first. Parameters: $1 exclusive upper id, $2 inclusive lower id, $3 rows, $4 seconds. */
const readActivity = statement('overview.activity')`
  with newest as materialized (
    select e.payout_id, e.tenant_id, e.status, e.ended_at from quipu.payout_end e
    where e.payout_id < $1 and e.payout_id >= $2 order by e.payout_id desc limit $3
  ), dated as materialized (
    select n.status, p.created_at,
      extract(epoch from n.ended_at - p.created_at)::float8 * 1000 as ms,
      date_bin(make_interval(secs => $4::float8), p.created_at, 'epoch') as at
    from newest n cross join lateral (
      select p.created_at from quipu.payout p
      where p.tenant_id = n.tenant_id and p.id = n.payout_id offset 0
    ) p
  )
  select d.at, d.status, count(*)::int as count, min(d.created_at) as oldest,
    percentile_disc(0.5) within group (order by d.ms) as median_ms,
    percentile_disc(0.95) within group (order by d.ms) as p95_ms
  from dated d group by grouping sets ((d.at, d.status), (d.at), ()) order by d.at`

export async function payoutActivity(
  database: Database,
  { from, stepSeconds }: ActivityQuery,
): Promise<PayoutActivity> {
  const values = [...idBoundsOf('po', { from, limit: 1 }), activityPayoutsMax, stepSeconds]
  const rows = await database.read<Row>(readActivity, values)
  const whole = rows.find(({ at }) => at === null)
  const isCut = whole !== undefined && whole.count >= activityPayoutsMax
  return {
    completeFrom: (isCut ? whole.oldest : null) ?? from,
    steps: rows.flatMap(({ at, status, median_ms: medianMs, p95_ms: p95Ms }) => {
      if (at === null || status !== null || medianMs === null || p95Ms === null) return []
      return [{ at, outcomes: outcomesAt(rows, at), medianMs, p95Ms }]
    }),
  }
}

function outcomesAt(rows: readonly Row[], at: Date): ActivityStep['outcomes'] {
  const count = (wanted: Row['status']): number =>
    rows.find((row) => row.at?.getTime() === at.getTime() && row.status === wanted)?.count ?? 0
  return {
    completed: count('completed'),
    failed: count('failed'),
    rejected: count('rejected'),
    cancelled: count('cancelled'),
  }
}
