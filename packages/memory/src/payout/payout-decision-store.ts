import {
  auditOperatorCall,
  auditSettlement,
  type DecidedSettlement,
  type NetworkCall,
  type PayoutDecisionStore,
  storedAction,
} from '@quipu/core/operator'
import { type Database, type PayoutRow, tenantDataOf } from '../table/database.ts'
import { isRefunded } from '../ledger/wallet-store.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { approvedProposal, markExecuted, proposingOrigin } from '../proposal/approved-proposal.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { commitPayout } from './payout-commit.ts'
import { claim, isLeased } from './payout-claims.ts'

export const memoryPayoutDecisionStore = (database: Database): PayoutDecisionStore => ({
  find: async (payoutId) => {
    const payout = rowOf(database, payoutId)?.payout
    if (!payout) return undefined
    const { tenantId } = payout
    return {
      payout,
      isAsked: isAsked(database, tenantId, payoutId),
      networkPaid: networkPaid(database, tenantId, payoutId),
      isRefunded: isRefunded(tenantDataOf(database, tenantId), payoutId),
    }
  },
  claim: async (call, by, leaseSeconds) => {
    const { tenantId, payoutId, question } = call
    const acting = actingToken(database, by, call.at, writers)
    if (!acting) return 'unauthorized'
    const payout = database.tenants.get(tenantId)?.payouts.get(payoutId)?.payout
    if (!payout?.quote) throw new Error(`no payout ${payoutId} that was accepted`)
    if (isLeased(database, payoutId)) return 'leased'
    const lease = database.leases.get(payoutId)
    const isEnded = lease === undefined
    if (!isEnded || question === 'status') writeAudit(database, auditOperatorCall(call, payout.status, acting.author))
    return isEnded ? 'ended' : claim(database, payoutId, lease, leaseSeconds)
  },
  settle: async (settlement) => settle(database, settlement),
})

function settle(database: Database, settlement: DecidedSettlement): 'committed' | 'stale' | 'not_approved' {
  const { step, action, proposalId, actor, reason } = settlement
  const { id: payoutId, tenantId, endedAt } = step.payout
  const lease = database.leases.get(payoutId)
  if (lease?.tenantId !== tenantId) return 'stale'
  const claimed = { ...storedAction(action), proposalId, tenantId, actor, reason }
  const proposal = approvedProposal(database, claimed)
  if (proposal === undefined) return 'not_approved'
  if (!isAsked(database, tenantId, payoutId)) throw new Error(`the network was not queried about payout ${payoutId}`)
  const claim = { tenantId, payoutId, fencingToken: ++lease.fencingToken }
  const committed = commitPayout(database, { kind: 'settle', step, claim, networkRef: lease.givenRef ?? undefined })
  const at = typeof committed === 'object' ? committed.redatedTo : endedAt
  markExecuted(database, proposal, at)
  writeAudit(database, auditSettlement(settlement, at, proposingOrigin(database, proposalId)))
  return 'committed'
}

function isAsked(database: Database, tenantId: string, payoutId: string): boolean {
  const rows = database.networkCalls.get(`${tenantId}:${payoutId}`)
  return Array.from(rows?.calls.values() ?? []).some(({ queriedBy }) => queriedBy !== 'request')
}

function networkPaid(database: Database, tenantId: string, payoutId: string): string | null {
  const calls = database.networkCalls.get(`${tenantId}:${payoutId}`)?.calls.values() ?? []
  const newest = Array.from(calls)
    .filter(({ answer }) => answer === 'paid')
    .reduce<NetworkCall | undefined>((a, b) => (a && a.createdAt > b.createdAt ? a : b), undefined)
  return newest?.detail ?? null
}

function rowOf(database: Database, payoutId: string): PayoutRow | undefined {
  for (const { payouts } of database.tenants.values()) {
    const row = payouts.get(payoutId)
    if (row) return row
  }
  return undefined
}
