import type { LedgerPayment } from '@quipu/simulators'
import type { SeenPayout, Violation } from './answer-log.ts'

/** A payout in the database after the fail-over. */
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
  /** Sums of the quotes of completed payouts and of open ones. */
  readonly completed: bigint
  readonly open: bigint
  readonly captured: bigint
  /** Sum of deposits and adjustments. */
  readonly funded: bigint
}

/** A payment in the ledger of a simulated network. */
export type NetworkPayment = Pick<LedgerPayment, 'reference' | 'description' | 'times_paid' | 'requested_amount'> & {
  readonly outcome: string
  readonly amount: string | null
}

/** All records after the fail-over. A payment's description is its `transaction_id`. */
export type Outcome = {
  readonly answered: Iterable<SeenPayout>
  readonly stored: readonly StoredPayout[]
  readonly payments: readonly NetworkPayment[]
  readonly wallets: readonly WalletSums[]
}

/** Compares the tenant's answers, the database, and the network's ledger. */
export const violationsOf = (outcome: Outcome): Violation[] => [
  ...paidTwice(outcome),
  ...vanished(outcome),
  ...paidUnrecorded(outcome),
  ...completedUnpaid(outcome),
  ...outcome.stored.flatMap(wrongEvents),
  ...outcome.wallets.flatMap(unbalanced),
]

export const isPaid = ({ outcome, times_paid }: NetworkPayment): boolean => outcome === 'paid' || times_paid > 0

function paidTwice({ payments }: Outcome): Violation[] {
  const paid = Map.groupBy(payments.filter(isPaid), ({ description }) => description)
  return Array.from(paid).flatMap(([transactionId, all]) => {
    const times = all.reduce((sum, { times_paid }) => sum + times_paid, 0)
    if (times <= 1) return []
    const references = all.map(({ reference }) => reference).join(', ')
    return { kind: 'paid_twice', detail: `${transactionId}: ${times} times, as ${references}` }
  })
}

function vanished({ answered, stored }: Outcome): Violation[] {
  const byId = new Map(stored.map((payout) => [payout.id, payout]))
  return Array.from(answered).flatMap(({ id, transactionId, finalStatus, via }): Violation[] => {
    const found = byId.get(id)
    if (found === undefined)
      return [{ kind: 'vanished', detail: `${id} of ${transactionId}, ${finalStatus ?? 'processing'} by ${via}` }]
    if (finalStatus !== undefined && found.status !== finalStatus)
      return [{ kind: 'changed', detail: `${id} was answered ${finalStatus} and is ${found.status}` }]
    return []
  })
}

function paidUnrecorded({ payments, stored }: Outcome): Violation[] {
  const status = new Map(stored.map((payout) => [payout.id, payout.status]))
  return payments.filter(isPaid).flatMap(({ reference, description }): Violation[] => {
    const found = status.get(reference)
    if (found === 'completed' || found === 'processing') return []
    return [{ kind: 'paid_unrecorded', detail: `${reference} of ${description}: ${found ?? 'unknown'}` }]
  })
}

function completedUnpaid({ payments, stored }: Outcome): Violation[] {
  const paid = new Set(payments.filter(isPaid).map(({ reference }) => reference))
  return stored
    .filter(({ id, status }) => status === 'completed' && !paid.has(id))
    .map(({ id }) => ({ kind: 'completed_unpaid', detail: id }))
}

/** An ended payout has one event; a rejected one has none. */
function wrongEvents({ id, status, events }: StoredPayout): Violation[] {
  const expected = ['processing', 'rejected'].includes(status) ? [] : [`payout.${status}`]
  if (events.join() === expected.join()) return []
  return [{ kind: 'wrong_events', detail: `${id} is ${status}: ${events.join(', ') || 'no event'}` }]
}

function unbalanced(wallet: WalletSums): Violation[] {
  const pairs = {
    'available equals its postings': [wallet.available, wallet.available_posted],
    'held equals its postings': [wallet.held, wallet.held_posted],
    'held equals the holds of open payouts': [wallet.held, wallet.open],
    'captured equals the cost of completed payouts': [wallet.captured, wallet.completed],
    'available plus held equals deposits and adjustments less captures': [
      wallet.available + wallet.held,
      wallet.funded - wallet.captured,
    ],
  }
  return Object.entries(pairs)
    .filter(([, [left, right]]) => left !== right)
    .map(([detail, [left, right]]) => ({ kind: 'unbalanced', detail: `${detail}: ${left}, ${right}` }))
}
