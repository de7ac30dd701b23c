import { auditOperatorCall, type PayoutDecisionStore } from '@quipu/core/operator'
import type { Database, PayoutRow } from '../database.ts'
import { writeAudit } from '../tenant/audit-log.ts'
import { claim, isLeased } from './payout-leases.ts'

export const memoryPayoutDecisionStore = (database: Database): PayoutDecisionStore => ({
  find: async (payoutId) => {
    const payout = rowOf(database, payoutId)?.payout
    if (payout === undefined) return undefined
    const rows = database.networkCalls.get(`${payout.tenantId}:${payoutId}`)
    const calls = Array.from(rows?.calls.values() ?? [])
    return { payout, isAsked: calls.some(({ askedBy }) => askedBy !== 'request') }
  },
  claim: async (call, leaseSeconds) => {
    const { tenantId, payoutId, question } = call
    const payout = database.tenants.get(tenantId)?.payouts.get(payoutId)?.payout
    if (!payout?.quote) throw new Error(`no payout ${payoutId} that was applied`)
    if (isLeased(database, payoutId)) return 'leased'
    const lease = database.leases.get(payoutId)
    const isEnded = lease === undefined
    if (!isEnded || question === 'status')
      writeAudit(database, auditOperatorCall(call, payout.status))
    return isEnded ? 'ended' : claim(database, payoutId, lease, leaseSeconds)
  },
})

function rowOf(database: Database, payoutId: string): PayoutRow | undefined {
  for (const { payouts } of database.tenants.values()) {
    const row = payouts.get(payoutId)
    if (row) return row
  }
  return undefined
}
