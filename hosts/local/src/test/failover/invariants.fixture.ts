import type { LedgerPayment } from '@quipu/simulators'
import type { Told, Violation } from './answer-log.fixture.ts'

/** A payout as the database has it in the end. */
export type StoredPayout = {
  readonly id: string
  readonly transaction_id: string
  readonly status: string
  /** Types of its events. */
  readonly events: readonly string[]
}

export type WalletSums = {
  readonly available: bigint
  readonly held: bigint
  readonly available_posted: bigint
  readonly held_posted: bigint
  /** What the quotes of completed payouts and of open ones come to. */
  readonly completed: bigint
  readonly open: bigint
  readonly captured: bigint
  readonly adjusted: bigint
}

/** How everything stands after the fail-over. A payment's description is its `transaction_id`. */
export type Outcome = {
  readonly told: Iterable<Told>
  readonly stored: readonly StoredPayout[]
  readonly payments: readonly LedgerPayment[]
  readonly wallets: readonly WalletSums[]
}

/** Compares what tenants were told, what the database has, and what the network has paid. */
export const violationsOf = (outcome: Outcome): Violation[] => [
  ...paidTwice(outcome),
  ...vanished(outcome),
  ...paidUnrecorded(outcome),
  ...completedUnpaid(outcome),
  ...outcome.stored.flatMap(wrongEvents),
  ...outcome.wallets.flatMap(unbalanced),
]

const isPaid = ({ outcome, times_paid }: LedgerPayment): boolean =>
  outcome === 'paid' || times_paid > 0

function paidTwice({ payments }: Outcome): Violation[] {
  const paid = Map.groupBy(payments.filter(isPaid), ({ description }) => description)
  return Array.from(paid).flatMap(([transactionId, all]) => {
    const times = all.reduce((sum, { times_paid }) => sum + times_paid, 0)
    if (times <= 1) return []
    const references = all.map(({ reference }) => reference).join(', ')
    return { kind: 'paid_twice', what: `${transactionId}: ${times} times, as ${references}` }
  })
}

function vanished({ told, stored }: Outcome): Violation[] {
  const byId = new Map(stored.map((payout) => [payout.id, payout]))
  return Array.from(told).flatMap(({ id, transactionId, ended, via }): Violation[] => {
    const found = byId.get(id)
    if (found === undefined)
      return [
        { kind: 'vanished', what: `${id} of ${transactionId}, ${ended ?? 'processing'} by ${via}` },
      ]
    if (ended !== undefined && found.status !== ended)
      return [{ kind: 'changed', what: `${id} was told ${ended} and is ${found.status}` }]
    return []
  })
}

function paidUnrecorded({ payments, stored }: Outcome): Violation[] {
  const status = new Map(stored.map((payout) => [payout.id, payout.status]))
  return payments.filter(isPaid).flatMap(({ reference, description }): Violation[] => {
    const found = status.get(reference)
    if (found === 'completed' || found === 'processing') return []
    return [
      { kind: 'paid_unrecorded', what: `${reference} of ${description}: ${found ?? 'unknown'}` },
    ]
  })
}

function completedUnpaid({ payments, stored }: Outcome): Violation[] {
  const paid = new Set(payments.filter(isPaid).map(({ reference }) => reference))
  return stored
    .filter(({ id, status }) => status === 'completed' && !paid.has(id))
    .map(({ id }) => ({ kind: 'completed_unpaid', what: id }))
}

/** A payout has one event when it has ended, and none when it was rejected. */
function wrongEvents({ id, status, events }: StoredPayout): Violation[] {
  const due = ['processing', 'rejected'].includes(status) ? [] : [`payout.${status}`]
  if (events.join() === due.join()) return []
  return [{ kind: 'wrong_events', what: `${id} is ${status}: ${events.join(', ') || 'no event'}` }]
}

function unbalanced(wallet: WalletSums): Violation[] {
  const pairs = {
    'available is what its postings say': [wallet.available, wallet.available_posted],
    'held is what its postings say': [wallet.held, wallet.held_posted],
    'held is what open payouts hold': [wallet.held, wallet.open],
    'captured is what completed payouts cost': [wallet.captured, wallet.completed],
    'available and held are what came in less what went out': [
      wallet.available + wallet.held,
      wallet.adjusted - wallet.captured,
    ],
  }
  return Object.entries(pairs)
    .filter(([, [left, right]]) => left !== right)
    .map(([what, [left, right]]) => ({ kind: 'unbalanced', what: `${what}: ${left}, ${right}` }))
}
