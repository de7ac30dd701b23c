import {
  type Balance,
  type Commit,
  type Committed,
  type Effect,
  type EventRecord,
  post,
  type Redated,
  redateEvent,
  type Transfer,
  Unavailable,
} from '@quipu/core'
import {
  type Database,
  positionOf,
  type QuoteRow,
  type Room,
  roomOf,
  secondsAfter,
} from './database.ts'
import { tell } from './event-store.ts'
import { laterThan, move } from './wallet-moves.ts'

type Refusal = Exclude<Committed, 'committed'>

/** What a step's effects come to, found possible and not yet written. */
type Plan = {
  readonly balance: Balance
  readonly transfers: readonly Transfer[]
  readonly quotes: readonly QuoteRow[]
}

/** Decides the whole write before it makes any of it, so that a refused one leaves no trace. */
export function commitPayout(database: Database, commit: Commit): Committed | Redated {
  const room = roomOf(database, commit.step.payout.tenantId)
  if (commit.kind !== 'settle' && commit.deadline && commit.deadline.leftMs() <= 0)
    throw new Unavailable('store', 'the deadline passed before the write')
  if (isStale(database, room, commit)) return 'stale'
  const redatedTo = redated(room, commit)
  const event = eventOf(commit, redatedTo)
  let plan: Plan = { balance: room.wallet.balance, transfers: [], quotes: [] }
  for (const effect of commit.step.effects) {
    const next = add(plan, effect, room, database.now())
    if (typeof next === 'string') return next
    plan = next
  }
  writeEffects(room, plan, commit, database.now())
  if (event !== null) tell(database, room, event)
  writePayout(database, room, commit, redatedTo)
  return redatedTo ? { redatedTo } : 'committed'
}

/** The instant of a capture that is given an earlier one than the wallet's newest transfer. */
function redated({ wallet }: Room, { kind, step }: Commit): Date | undefined {
  if (kind !== 'settle' || step.payout.status !== 'completed') return undefined
  return laterThan(step.payout.endedAt, wallet)
}

function isStale(database: Database, room: Room, commit: Commit): boolean {
  if (commit.kind !== 'settle') return room.transactions.has(commit.step.payout.transactionId)
  const { payoutId, tenantId, fence } = commit.claim
  const lease = database.leases.get(payoutId)
  return lease?.tenantId !== tenantId || lease.fence !== fence
}

function eventOf(commit: Commit, redatedTo: Date | undefined): EventRecord | null {
  const event = commit.kind === 'apply' ? null : commit.event
  const publishes = commit.step.effects.some((effect) => effect.type === 'publish')
  if (publishes !== (event !== null))
    throw new Error(`payout ${commit.step.payout.id}: the event does not fit the step`)
  if (commit.kind !== 'settle' || commit.event === null || redatedTo === undefined) return event
  return redateEvent(commit.event, redatedTo)
}

function add(plan: Plan, effect: Effect, room: Room, now: Date): Plan | Refusal {
  switch (effect.type) {
    case 'use_quote': {
      const row = room.quotes.get(effect.quoteId)
      if (row === undefined) throw new Error(`no quote ${effect.quoteId}`)
      if (row.payoutId !== null) return 'quote_used'
      if (row.quote.expiresAt <= now) return 'quote_expired'
      return { ...plan, quotes: [...plan.quotes, row] }
    }
    case 'transfer': {
      const balance = post(plan.balance, effect.transfer)
      if (balance === undefined) return 'insufficient_balance'
      return { ...plan, balance, transfers: [...plan.transfers, effect.transfer] }
    }
    case 'publish':
      return plan
  }
}

function writeEffects(room: Room, plan: Plan, { kind, step }: Commit, now: Date): void {
  const { id, transactionId } = step.payout
  const at = kind === 'settle' ? step.payout.endedAt : now
  for (const row of plan.quotes) row.payoutId = id
  for (const transfer of plan.transfers) move(room, transfer, { payoutId: id, transactionId }, at)
}

function writePayout(
  database: Database,
  room: Room,
  commit: Commit,
  redatedTo: Date | undefined,
): void {
  const { payout } = commit.step
  if (commit.kind === 'settle') {
    const row = room.payouts.get(payout.id)
    if (row === undefined) throw new Error(`no payout ${payout.id}`)
    row.payout = redatedTo ? { ...commit.step.payout, endedAt: redatedTo } : payout
    database.leases.delete(payout.id)
    return
  }
  room.payouts.set(payout.id, { payout, fingerprint: commit.fingerprint })
  room.transactions.set(payout.transactionId, payout.id)
  room.payoutOrder.add(positionOf(payout))
  if (commit.kind === 'refuse') return
  const openedAt = database.now()
  const dueAt = secondsAfter(openedAt, commit.leaseSeconds)
  const { tenantId } = payout
  database.leases.set(payout.id, {
    tenantId,
    openedAt,
    fence: 1,
    asked: 0,
    leased: true,
    woken: false,
    dueAt,
    unanswered: 0,
    catchUpFrom: null,
    catchUps: 0,
    raised: {},
  })
}
