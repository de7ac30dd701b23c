import type { Payout } from '@quipu/core'
import type { OpenPayout, PayoutOverview } from '@quipu/core/operator'
import type { RaisedAlerts } from '@quipu/core/adapter'
import { type Database, type Statement, statement } from '../connection/database.ts'

/** Parameters: $1 payouts, $2 their tenants. */
const openPayouts: Statement = statement('overview.open_payouts')`
  select p.id, coalesce(o.claim_count, 0) as claim_count, coalesce(o.unanswered, 0) as unanswered,
    coalesce(o.due_at, p.leased_until) as due_at, coalesce(o.raised, '{}') as raised, o.network_ref as given_ref
  from unnest($1::text[], $2::text[]) i (payout_id, tenant_id)
  join quipu.payout p on p.tenant_id = i.tenant_id and p.id = i.payout_id
  left join quipu.payout_open o on o.payout_id = p.id and o.tenant_id = p.tenant_id
  where p.hold is not null`

type OpenRow = {
  readonly id: string
  readonly claim_count: number
  readonly unanswered: number
  readonly due_at: Date
  readonly raised: RaisedAlerts
  readonly given_ref: string | null
}

/** Adds the work on those payouts that are in `processing`, which have the network's newest reference. */
export async function withOpenPayouts(
  database: Database,
  payouts: readonly Payout[],
): Promise<readonly PayoutOverview[]> {
  const open = await openOf(
    database,
    payouts.filter(({ status }) => status === 'processing'),
  )
  return payouts.map((payout) => {
    const row = open.get(payout.id)
    if (!row || !payout.quote) return { payout, open: null }
    return { payout: { ...payout, networkRef: row.given_ref ?? payout.networkRef }, open: openFromRow(row) }
  })
}

async function openOf(database: Database, processing: readonly Payout[]): Promise<ReadonlyMap<string, OpenRow>> {
  if (processing.length === 0) return new Map()
  const values = [processing.map(({ id }) => id), processing.map(({ tenantId }) => tenantId)]
  const rows = await database.read<OpenRow>(openPayouts, values)
  return new Map(rows.map((row) => [row.id, row]))
}

const openFromRow = (row: OpenRow): OpenPayout => ({
  claimCount: row.claim_count,
  unanswered: row.unanswered,
  dueAt: row.due_at,
  raised: row.raised,
})
