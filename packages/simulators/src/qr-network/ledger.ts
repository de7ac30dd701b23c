import type { Closed, Payment } from './payment.ts'
import type { FinalOutcome } from './scenario.ts'

/** One durable fact. Replaying all of them in order makes the ledger again. */
export type Entry =
  /** What was ever put into the paying account, in all. */
  | { readonly type: 'funded'; readonly total: bigint }
  | { readonly type: 'payment'; readonly payment: Payment }
  | { readonly type: 'closed'; readonly closed: Closed }

/** What is to be recorded about a new payment; the ledger adds what only it knows. */
export type NewPayment = Omit<Payment, 'sequence' | 'timesPaid' | 'paidAt' | 'updatedAt'>

/** The merchants' side of the books: who was credited, and how much. */
export type MerchantAccount = Payment['merchant'] & { readonly credited: bigint }

/**
 * The network's own books: one paying account, one account for each merchant, and for each
 * reference one payment or one tombstone, never both. Every operation is a single synchronous
 * step, so that no two requests can interleave in it.
 */
export type Ledger = {
  find(reference: string): Payment | Closed | undefined
  /** Records a payment under a free reference, moving the money when it is `paid`. */
  record(payment: NewPayment): Payment
  /**
   * Ends a late payment; paid without enough balance ends `no_liquidity`. By force a final one is
   * ended differently, and money already moved goes back.
   */
  settle(reference: string, outcome: FinalOutcome, force?: boolean): Payment | SettleRefusal
  /** Answers the payment under the reference, or closes the reference for good. */
  close(reference: string): Payment | Closed
  /** Makes `available` the balance of the paying account. */
  setAvailable(available: bigint): void
  available(): bigint
  /** What left the paying account and was not given back. */
  spent(): bigint
  merchants(): MerchantAccount[]
  all(): Iterable<Payment | Closed>
  /** Payments ever made, in the order they were made; the first has sequence 1. */
  paid(after: number): Iterable<Payment>
  /** The fewest entries that make this ledger. */
  snapshot(): Entry[]
  /** Forgets everything and funds the paying account anew. */
  reset(liquidity: bigint): void
}

export type SettleRefusal = 'not_seen' | 'not_late'

type State = {
  funded: bigint
  spent: bigint
  readonly byReference: Map<string, Payment | Closed>
  readonly merchants: Map<string, MerchantAccount>
  /** References in the order of their `sequence`. */
  readonly sequence: string[]
}

/**
 * @param past    the entries to begin from
 * @param append  takes each new entry, in order
 */
export function createLedger(
  past: readonly Entry[],
  append: (entry: Entry) => void,
  now: () => number,
): Ledger {
  const state: State = {
    funded: 0n,
    spent: 0n,
    byReference: new Map(),
    merchants: new Map(),
    sequence: [],
  }
  for (const entry of past) apply(state, entry)
  const commit = (entry: Entry): void => {
    apply(state, entry)
    append(entry)
  }
  const available = (): bigint => state.funded - state.spent
  const save = (payment: Payment): Payment => {
    commit({ type: 'payment', payment })
    return payment
  }
  return {
    find: (reference) => state.byReference.get(reference),
    record(payment) {
      if (state.byReference.has(payment.reference)) throw new Error('The reference is taken.')
      const fresh = { ...payment, sequence: null, timesPaid: 0, paidAt: null, updatedAt: now() }
      return save(payment.outcome === 'paid' ? pay(state, fresh, now()) : fresh)
    },
    settle(reference, outcome, force = false) {
      const payment = state.byReference.get(reference)
      if (!payment) return 'not_seen'
      if (payment.outcome === 'closed_unpaid') return 'not_late'
      if (payment.outcome !== 'late' && !force) return 'not_late'
      if (payment.outcome === outcome) return payment
      const open = { ...payment, then: null, settleAt: null, updatedAt: now() }
      if (outcome !== 'paid') return save({ ...open, outcome })
      if (available() < payment.amount) return save({ ...open, outcome: 'no_liquidity' })
      return save(pay(state, open, now()))
    },
    close(reference) {
      const known = state.byReference.get(reference)
      if (known) return known
      const closed: Closed = { reference, outcome: 'closed_unpaid', updatedAt: now() }
      commit({ type: 'closed', closed })
      return closed
    },
    setAvailable: (amount) => commit({ type: 'funded', total: state.spent + amount }),
    available,
    spent: () => state.spent,
    merchants: () => [...state.merchants.values()],
    all: () => state.byReference.values(),
    *paid(after) {
      for (let i = after; i < state.sequence.length; i++) {
        const payment = state.byReference.get(state.sequence[i] ?? '')
        if (payment && payment.outcome !== 'closed_unpaid') yield payment
      }
    },
    snapshot: () => [
      { type: 'funded', total: state.funded },
      ...Array.from(state.byReference.values(), entryOf),
    ],
    reset(liquidity) {
      Object.assign(state, { funded: liquidity, spent: 0n })
      for (const part of [state.byReference, state.merchants]) part.clear()
      state.sequence.length = 0
    },
  }
}

/** The one place where a payment becomes paid. */
const pay = (state: State, payment: Payment, at: number): Payment => ({
  ...payment,
  outcome: 'paid',
  sequence: payment.sequence ?? state.sequence.length + 1,
  timesPaid: payment.timesPaid + 1,
  paidAt: at,
})

const entryOf = (item: Payment | Closed): Entry =>
  item.outcome === 'closed_unpaid'
    ? { type: 'closed', closed: item }
    : { type: 'payment', payment: item }

function apply(state: State, entry: Entry): void {
  switch (entry.type) {
    case 'funded':
      state.funded = entry.total
      return
    case 'closed':
      state.byReference.set(entry.closed.reference, entry.closed)
      return
    case 'payment': {
      const { payment } = entry
      const { reference, sequence } = payment
      const before = state.byReference.get(reference)
      const moved = movedBy(payment) - (before ? movedBy(before) : 0n)
      state.spent += moved
      if (moved !== 0n) credit(state.merchants, payment.merchant, moved)
      if (sequence !== null) state.sequence[sequence - 1] = reference
      state.byReference.set(reference, payment)
    }
  }
}

const movedBy = (item: Payment | Closed): bigint => (item.outcome === 'paid' ? item.amount : 0n)

function credit(
  accounts: State['merchants'],
  { name, bankCode }: Payment['merchant'],
  amount: bigint,
): void {
  const key = `${bankCode} ${name}`
  const credited = (accounts.get(key)?.credited ?? 0n) + amount
  accounts.set(key, { name, bankCode, credited })
}
