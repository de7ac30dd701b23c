import {
  auditNetwork,
  networkSeenSeconds,
  type NetworkStore,
  type KnownPayment,
  type PayoutRef,
} from '@quipu/core/operator'
import { type Database, secondsAfter } from '../table/database.ts'
import { actingToken } from '../access/acting-token.ts'
import type { NetworkHaltRow } from '../table/network-table.ts'
import { writeAudit } from '../audit/audit-log.ts'

export const memoryNetworkStore = (database: Database): NetworkStore => ({
  meet: async (identity) => {
    const { confirmations, halts } = database.networks
    const now = database.now()
    if (confirmations.length === 0) confirmations.push({ identity, at: now, by: null, reason: null })
    const halt = halts.get(identity)
    if (confirmations.at(-1)?.identity === identity) return halt ? 'forgetful' : 'ours'
    halts.set(identity, { payoutId: null, since: halt?.since ?? now, seenAt: now })
    return 'other'
  },
  knownPayment: async (payout) => knownPayment(database, payout),
  halt: async (identity, payoutId) => {
    const { confirmations, halts } = database.networks
    if (!completedPayouts(database).some(({ id }) => id === payoutId))
      throw new Error(`no completed payout ${payoutId}`)
    if (confirmations.at(-1)?.identity !== identity || halts.has(identity)) return
    const now = database.now()
    halts.set(identity, { payoutId, since: now, seenAt: now })
  },
  read: async () => {
    const { confirmations, halts } = database.networks
    const isShown = ({ payoutId, seenAt }: NetworkHaltRow): boolean =>
      payoutId !== null || secondsAfter(seenAt, networkSeenSeconds) > database.now()
    return {
      network: confirmations.at(-1) ?? null,
      halts: Array.from(halts)
        .filter(([, row]) => isShown(row))
        .map(([identity, { payoutId, since }]) => ({ identity, payoutId, since }))
        .toSorted((a, b) => (a.identity < b.identity ? -1 : 1)),
    }
  },
  confirm: async (confirmation, by) => {
    const { confirmations, halts } = database.networks
    const acting = actingToken(database, by, confirmation.at, ['admin'])
    if (!acting) return 'unauthorized'
    const before = confirmations.at(-1)
    const { identity } = confirmation
    if (before?.identity === identity && !halts.has(identity)) return 'stale'
    const earliest = (before?.at.getTime() ?? -Infinity) + 1
    const at = new Date(Math.max(confirmation.at.getTime(), earliest))
    confirmations.push({ ...confirmation, at })
    halts.clear()
    writeAudit(database, auditNetwork({ ...confirmation, at }, before?.identity ?? null, acting.author))
    return 'committed'
  },
})

function knownPayment(database: Database, { tenantId, payoutId }: PayoutRef): KnownPayment {
  const payout = database.tenants.get(tenantId)?.payouts.get(payoutId)?.payout
  if (!payout) throw new Error(`no payout ${payoutId}`)
  const moves = database.networks.confirmations.filter(({ by }) => by !== null)
  const isCurrent = !moves.some(({ at }) => at > payout.createdAt)
  const since = moves.findLast(({ at }) => at <= payout.createdAt)?.at ?? new Date(0)
  const newest = completedPayouts(database)
    .filter(({ id }) => isCurrent || id < payoutId)
    .reduce<Completed | undefined>((a, b) => (a && a.id > b.id ? a : b), undefined)
  if (newest === undefined || newest.createdAt <= since) return { payment: null, isCurrent }
  const { id, tenantId: of, networkRef, createdAt, endedAt } = newest
  return { payment: { tenantId: of, payoutId: id, networkRef, createdAt, endedAt }, isCurrent }
}

type Completed = {
  readonly id: string
  readonly tenantId: string
  readonly networkRef: string
  readonly createdAt: Date
  readonly endedAt: Date
}

/** The payouts that the network completed; not those that people settled. */
const completedPayouts = ({ tenants, proposals }: Database): readonly Completed[] => {
  const settled = new Set(
    Array.from(proposals.values()).flatMap(({ action, status }) =>
      action.type === 'settle_payout' && status === 'executed' ? [action.payoutId] : [],
    ),
  )
  return Array.from(tenants.values()).flatMap(({ payouts }) =>
    Array.from(payouts.values()).flatMap(({ payout }) =>
      payout.status === 'completed' && !settled.has(payout.id) ? [payout] : [],
    ),
  )
}
