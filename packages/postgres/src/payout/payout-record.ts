import { usdt } from '@quipu/core'
import type { PayoutPosting, PayoutRecord } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'
import { withOpenPayouts } from './open-payouts.ts'

/** The tenant of a payout by its id alone: it has ended, or is in the queue. */
const findTenant = statement('overview.payout_tenant')`
  select e.tenant_id from quipu.payout_end e where e.payout_id = $1
  union all
  select o.tenant_id from quipu.payout_open o where o.payout_id = $1
  union all
  select i.tenant_id from quipu.payout_lease l
  cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
  where i.payout_id = $1
  limit 1`

const findRecord = statement('overview.payout')`
  select ${payoutColumns}, p.hold, p.available_after, p.held_after, p.accepted_at,
    e.amount as end_amount, e.available_after as end_available_after,
    e.held_after as end_held_after, e.event_id
  from ${payoutTables('quipu.payout')} where p.tenant_id = $1 and p.id = $2`

type RecordRow = PayoutRow & {
  readonly hold: bigint | null
  readonly available_after: bigint
  readonly held_after: bigint
  readonly accepted_at: Date
  readonly end_amount: bigint | null
  readonly end_available_after: bigint
  readonly end_held_after: bigint
  readonly event_id: string | null
}

/** A payout of any tenant. */
export async function readPayout(database: Database, id: string): Promise<PayoutRecord | undefined> {
  const [found] = await database.read<{ tenant_id: string }>(findTenant, [id])
  if (found === undefined) return undefined
  const [row] = await database.read<RecordRow>(findRecord, [found.tenant_id, id])
  const [overview] = await withOpenPayouts(database, row ? [payoutFromRow(row)] : [])
  return row && overview && { ...overview, postings: postingsOf(row), eventId: row.event_id }
}

const postingsOf = (row: RecordRow): readonly PayoutPosting[] => [
  ...(row.hold === null
    ? []
    : [
        {
          type: 'hold' as const,
          amount: usdt(row.hold),
          availableAfter: usdt(row.available_after),
          heldAfter: usdt(row.held_after),
          at: row.accepted_at,
        },
      ]),
  ...(row.end_amount === null
    ? []
    : [
        {
          type: row.status === 'completed' ? ('capture' as const) : ('release' as const),
          amount: usdt(row.end_amount),
          availableAfter: usdt(row.end_available_after),
          heldAfter: usdt(row.end_held_after),
          at: row.ended_at,
        },
      ]),
]
