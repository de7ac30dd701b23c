import type { Claim, ClaimedPayout, PayoutStore } from '@quipu/core'
import { type Database, type Lease, secondsAfter } from './database.ts'

export type PayoutLeases = Pick<PayoutStore, 'renew' | 'release' | 'claimDue' | 'wake'>

export function payoutLeases(database: Database): PayoutLeases {
  return {
    renew: async (claim, leaseSeconds) =>
      move(database, claim, { leased: true, dueAt: secondsAfter(database.now(), leaseSeconds) }),
    release: async (claim, dueInSeconds) => {
      const seconds = database.leases.get(claim.payoutId)?.woken ? 0 : dueInSeconds
      const dueAt = secondsAfter(database.now(), seconds)
      return move(database, claim, { leased: false, woken: false, dueAt })
    },
    claimDue: async (limit, leaseSeconds) => {
      const now = database.now()
      return [...database.leases]
        .filter(([, lease]) => lease.dueAt <= now)
        .toSorted(([, a], [, b]) => a.dueAt.getTime() - b.dueAt.getTime())
        .slice(0, limit)
        .map(([payoutId, lease]) => claim(database, payoutId, lease, leaseSeconds))
    },
    wake: async (payoutId) => {
      const lease = database.leases.get(payoutId)
      const now = database.now()
      if (lease === undefined || lease.dueAt <= now) return
      if (lease.leased) lease.woken = true
      else lease.dueAt = now
    },
  }
}

export function isLeased(database: Database, payoutId: string): boolean {
  const lease = database.leases.get(payoutId)
  return lease !== undefined && lease.leased && database.now() < lease.dueAt
}

/** Changes the lease if the claim is still its newest. An ended payout has none. */
function move(
  database: Database,
  { payoutId, tenantId, fence }: Claim,
  change: Partial<Pick<Lease, 'leased' | 'woken' | 'dueAt'>>,
): boolean {
  const lease = database.leases.get(payoutId)
  if (lease?.tenantId !== tenantId || lease.fence !== fence) return false
  Object.assign(lease, change)
  return true
}

function claim(
  database: Database,
  payoutId: string,
  lease: Lease,
  leaseSeconds: number,
): ClaimedPayout {
  const { tenantId } = lease
  const payout = database.rooms.get(tenantId)?.payouts.get(payoutId)?.payout
  if (payout?.status !== 'processing')
    throw new Error(`payout ${payoutId} has a lease and has ended`)
  lease.fence++
  lease.asked++
  lease.leased = true
  lease.woken = false
  lease.dueAt = secondsAfter(database.now(), leaseSeconds)
  return { payout, claim: { tenantId, payoutId, fence: lease.fence }, asked: lease.asked }
}
