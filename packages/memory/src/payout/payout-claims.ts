import {
  catchUpDelaysSeconds,
  type PayoutClaim,
  type ClaimedPayout,
  type PayoutStore,
  type ClaimYield,
} from '@quipu/core/adapter'
import { type Database, secondsAfter } from '../table/database.ts'
import type { Lease } from '../table/lease.ts'
import { recordCalls } from '../network/network-call-store.ts'

export type PayoutClaims = Pick<PayoutStore, 'renew' | 'markOrdered' | 'yieldClaim' | 'claimDue' | 'hint' | 'catchUp'>

export function payoutClaims(database: Database): PayoutClaims {
  return {
    renew: async (claim, leaseSeconds) => renewed(database, claim, leaseSeconds) !== undefined,
    markOrdered: async (claim, leaseSeconds) => {
      const lease = renewed(database, claim, leaseSeconds)
      if (lease !== undefined) lease.isOrdered = true
      return lease !== undefined
    },
    yieldClaim: async (claim, given) => {
      recordCalls(database, claim, given.calls)
      const lease = leaseOf(database, claim)
      if (lease === undefined) return false
      Object.assign(lease, yielded(database, lease, given))
      return true
    },
    claimDue: async (limit, leaseSeconds) => {
      const now = database.now()
      return [...database.leases]
        .filter(([, lease]) => lease.dueAt <= now)
        .toSorted(([, a], [, b]) => a.dueAt.getTime() - b.dueAt.getTime())
        .slice(0, limit)
        .map(([payoutId, lease]) => claim(database, payoutId, lease, leaseSeconds))
    },
    hint: async (payoutId) => {
      const lease = database.leases.get(payoutId)
      const now = database.now()
      if (lease === undefined || lease.dueAt <= now) return
      if (lease.leased) lease.hinted = true
      else lease.dueAt = now
    },
    catchUp: async (perSecond) => catchUp(database, perSecond),
  }
}

/** The lease from now on; undefined when the claim is not the newest, or was yielded. */
function renewed(database: Database, claim: PayoutClaim, leaseSeconds: number): Lease | undefined {
  const lease = leaseOf(database, claim)
  if (!lease?.leased) return undefined
  lease.dueAt = secondsAfter(database.now(), leaseSeconds)
  return lease
}

/** The lease after its holder yields the claim. */
function yielded(
  database: Database,
  lease: Lease,
  { dueInSeconds, statusCall, raised, networkRef }: ClaimYield,
): Partial<Lease> {
  const now = database.now()
  const probeInSeconds = statusCall?.answered === false ? statusCall.probeInSeconds : Infinity
  const seconds =
    probeInSeconds < dueInSeconds && isProbe(database, lease, probeInSeconds) ? probeInSeconds : dueInSeconds
  const dueAt = secondsAfter(now, lease.hinted ? 0 : seconds)
  const freed = { leased: false, hinted: false, dueAt, raised, givenRef: networkRef ?? lease.givenRef }
  if (statusCall === undefined) return freed
  if (statusCall.answered) return { ...freed, catchUpFrom: null, catchUps: 0 }
  const delaySeconds = catchUpDelaysSeconds[lease.catchUps] ?? catchUpDelaysSeconds.at(-1) ?? 0
  const catchUpFrom = secondsAfter(now, delaySeconds)
  return { ...freed, catchUpFrom, unanswered: lease.unanswered + 1 }
}

/** Whether no other unanswered payout is leased, or due as soon as this probe. */
function isProbe({ leases, now }: Database, lease: Lease, probeInSeconds: number): boolean {
  const soon = secondsAfter(now(), probeInSeconds)
  return !Array.from(leases.values()).some(
    (other) => other !== lease && other.catchUpFrom !== null && (other.leased || other.dueAt <= soon),
  )
}

function catchUp(database: Database, perSecond: number): void {
  const now = database.now()
  const waiting = Array.from(database.leases.values(), (lease) => ({ lease, from: lease.catchUpFrom }))
    .flatMap(({ lease, from }) => (from === null || lease.leased ? [] : [{ lease, from }]))
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
  for (const { lease, from } of waiting) {
    const at = latest(now, database.nextCatchUpAt)
    database.nextCatchUpAt = secondsAfter(at, 1 / perSecond)
    lease.dueAt = earliest(lease.dueAt, latest(at, from))
    lease.catchUpFrom = null
    lease.catchUps++
  }
}

const earliest = (a: Date, b: Date): Date => (a < b ? a : b)
const latest = (a: Date, b: Date): Date => (a < b ? b : a)

export function isLeased(database: Database, payoutId: string): boolean {
  const lease = database.leases.get(payoutId)
  return lease !== undefined && lease.leased && database.now() < lease.dueAt
}

/** The lease, if this claim is the newest. A settled payout has none. */
function leaseOf(database: Database, { payoutId, tenantId, fencingToken }: PayoutClaim): Lease | undefined {
  const lease = database.leases.get(payoutId)
  return lease?.tenantId === tenantId && lease.fencingToken === fencingToken ? lease : undefined
}

export function claim(database: Database, payoutId: string, lease: Lease, leaseSeconds: number): ClaimedPayout {
  const { tenantId } = lease
  const payout = database.tenants.get(tenantId)?.payouts.get(payoutId)?.payout
  if (payout?.status !== 'processing') throw new Error(`payout ${payoutId} is settled and still has a lease`)
  lease.fencingToken++
  lease.claimCount++
  lease.leased = true
  lease.hinted = false
  lease.dueAt = secondsAfter(database.now(), leaseSeconds)
  const { claimCount, unanswered, raised, fencingToken, openedAt, isOrdered, givenRef } = lease
  const openSeconds = (database.now().getTime() - openedAt.getTime()) / 1000
  return {
    payout: givenRef === null ? payout : { ...payout, networkRef: givenRef },
    claim: { tenantId, payoutId, fencingToken },
    claimCount,
    unanswered,
    openSeconds,
    raised,
    isOrdered,
    givenRef,
  }
}
