import { booksOf, enter, type Books, type Entry } from './books.ts'
import type { Closed, Payment } from '../payment/payment.ts'
import type { FinalOutcome } from '../qr/scenario.ts'

/** What is to be recorded about a new payment; the ledger adds what only it knows. */
export type NewPayment = Omit<Payment, 'sequence' | 'timesPaid' | 'paidAt' | 'updatedAt'>

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
  /** The books as they stand; to be read only. */
  books(): Readonly<Books>
  /** Forgets everything and funds the paying account anew. */
  reset(liquidity: bigint): void
}

export type SettleRefusal = 'not_seen' | 'not_late'

/**
 * @param books   what to begin from; the ledger's own from now on
 * @param append  takes each new entry, in order
 */
export function createLedger(
  books: Books,
  append: (entry: Entry) => void,
  now: () => number,
): Ledger {
  const commit = (entry: Entry): void => {
    enter(books, entry)
    append(entry)
  }
  const available = (): bigint => books.funded - books.spent
  const save = (payment: Payment): Payment => {
    commit({ type: 'payment', payment })
    return payment
  }
  /** The one place where a payment becomes paid. */
  const pay = (payment: Payment): Payment =>
    save({
      ...payment,
      outcome: 'paid',
      sequence: payment.sequence ?? books.sequence.length + 1,
      timesPaid: payment.timesPaid + 1,
      paidAt: now(),
    })
  return {
    find: (reference) => books.byReference.get(reference),
    record(payment) {
      if (books.byReference.has(payment.reference)) throw new Error('The reference is taken.')
      const fresh = { ...payment, sequence: null, timesPaid: 0, paidAt: null, updatedAt: now() }
      return payment.outcome === 'paid' ? pay(fresh) : save(fresh)
    },
    settle(reference, outcome, force = false) {
      const payment = books.byReference.get(reference)
      if (!payment) return 'not_seen'
      if (payment.outcome === 'closed_unpaid') return 'not_late'
      if (payment.outcome !== 'late' && !force) return 'not_late'
      if (payment.outcome === outcome) return payment
      const open = { ...payment, then: null, settleAt: null, updatedAt: now() }
      if (outcome !== 'paid') return save({ ...open, outcome })
      return available() < payment.amount ? save({ ...open, outcome: 'no_liquidity' }) : pay(open)
    },
    close(reference) {
      const known = books.byReference.get(reference)
      if (known) return known
      const closed: Closed = { reference, outcome: 'closed_unpaid', updatedAt: now() }
      commit({ type: 'closed', closed })
      return closed
    },
    setAvailable: (amount) => commit({ type: 'funded', total: books.spent + amount }),
    available,
    books: () => books,
    reset(liquidity) {
      books = booksOf([{ type: 'funded', total: liquidity }])
    },
  }
}
