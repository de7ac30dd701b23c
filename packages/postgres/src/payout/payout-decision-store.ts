import type { DecidedSettlement, PayoutDecisionStore } from '@quipu/core/operator'
import { activeTraceparent } from '@quipu/tracing'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { claimColumns, claimedFromRow, type ClaimRow } from './payout-claims.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

// Decided by migrations/0025-payout-decisions.sql.

const claimPayout = statement('claim_payout')`
  select c.result, ${claimColumns}
  from quipu.claim_payout($1, $2, $3, $4, $5, $6, $7) c
  join ${payoutTables('quipu.payout')} on p.tenant_id = $1 and p.id = $2`

const decidePayout = statement('decide_payout')`
  select quipu.decide_payout($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as result`

/** The tenant is not known yet: a skip scan over the tenants. */
const findUndecided = statement('payout.find_undecided')`
  select ${payoutColumns}, c.queried_by is not null as is_queried,
    n.detail as network_paid, a.payout_id is not null as is_refunded
  from ${payoutTables('quipu.payout')}
  left join lateral (
    select c.queried_by from quipu.network_call c
    where c.payout_id = p.id and c.tenant_id = p.tenant_id and c.queried_by <> 'request'
    limit 1
  ) c on true
  left join lateral (
    select n.detail from quipu.network_call n
    where n.payout_id = p.id and n.tenant_id = p.tenant_id and n.answer = 'paid'
    order by n.queried_at desc, n.id desc limit 1
  ) n on true
  left join quipu.adjustment a on a.payout_id = p.id
  where p.id = $1`

type UndecidedRow = PayoutRow & {
  readonly is_queried: boolean
  readonly network_paid: string | null
  readonly is_refunded: boolean
}

/** Decisions of operators about payouts, in PostgreSQL. */
export const postgresPayoutDecisionStore = (database: Database): PayoutDecisionStore => ({
  find: async (payoutId) => {
    const [row] = await database.read<UndecidedRow>(findUndecided, [payoutId])
    return (
      row && {
        payout: payoutFromRow(row),
        isAsked: row.is_queried,
        networkPaid: row.network_paid,
        isRefunded: row.is_refunded,
      }
    )
  },
  claim: async ({ tenantId, payoutId, question, at }, by, leaseSeconds) => {
    const call = [tenantId, payoutId, question, credentialJson(by), at]
    const values = [...call, leaseSeconds, database.clockOverride()]
    type Claimed = Awaited<ReturnType<PayoutDecisionStore['claim']>>
    const [row] = await database.write<ClaimRow & { result: 'claimed' | Exclude<Claimed, object> }>(claimPayout, values)
    if (!row) throw new Error(`no payout ${payoutId} of tenant ${tenantId}`)
    return row.result === 'claimed' ? claimedFromRow(row) : row.result
  },
  settle: async (settlement) => {
    const [row] = await database.write<{ result: 'committed' | 'stale' | 'not_approved' }>(decidePayout, [
      ...decisionValues(settlement),
      ...eventValues(settlement),
    ])
    if (!row) throw new Error('decide_payout answered nothing')
    return row.result
  },
})

const decisionValues = ({ step, action, ...author }: DecidedSettlement): readonly unknown[] => {
  const { tenantId, id, endedAt, ...payout } = step.payout
  const { outcome, paid, networkPaymentId } = action
  const message = payout.status === 'completed' ? null : payout.error.message
  const decision = [outcome, paid && paid.minor, networkPaymentId, message]
  return [tenantId, id, author.proposalId, ...decision, author.actor, author.reason, endedAt]
}

function eventValues({ step: { event } }: DecidedSettlement): readonly unknown[] {
  if (event === null) throw new Error('a settlement by evidence has an event')
  return [event.id, activeTraceparent() ?? null]
}
