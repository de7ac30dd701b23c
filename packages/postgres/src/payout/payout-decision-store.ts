import type { PayoutDecisionStore } from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'
import { claimColumns, claimedFromRow, type ClaimRow } from './payout-queue.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

// Decided by migrations/0025-payout-decisions.sql.

const claimPayout: Statement = {
  name: 'claim_payout',
  text: `
    select c.result, ${claimColumns}
    from quipu.claim_payout($1, $2, $3, $4, $5, $6, $7) c
    join ${payoutTables('quipu.payout')} on p.tenant_id = $1 and p.id = $2`,
}

/** The tenant is not known yet: a skip scan over the tenants. */
const findUndecided: Statement = {
  name: 'payout.find_undecided',
  text: `
    select ${payoutColumns}, c.asked_by is not null as is_asked
    from ${payoutTables('quipu.payout')}
    left join lateral (
      select c.asked_by from quipu.network_call c
      where c.payout_id = p.id and c.tenant_id = p.tenant_id and c.asked_by <> 'request'
      limit 1
    ) c on true
    where p.id = $1`,
}

export const decisionStatements: readonly Statement[] = [findUndecided]

/** What operators decide about payouts, in PostgreSQL. */
export const postgresPayoutDecisionStore = (database: Database): PayoutDecisionStore => ({
  find: async (payoutId) => {
    const [row] = await database.read<PayoutRow & { is_asked: boolean }>(findUndecided, [payoutId])
    return row && { payout: payoutFromRow(row), isAsked: row.is_asked }
  },
  claim: async ({ tenantId, payoutId, question, actor, at }, leaseSeconds) => {
    const call = [tenantId, payoutId, question, actor, at]
    const values = [...call, leaseSeconds, database.clockOverride()]
    const [row] = await database.write<ClaimRow & { result: 'claimed' | 'leased' | 'ended' }>(
      claimPayout,
      values,
    )
    if (!row) throw new Error(`no payout ${payoutId} of tenant ${tenantId}`)
    return row.result === 'claimed' ? claimedFromRow(row) : row.result
  },
})
