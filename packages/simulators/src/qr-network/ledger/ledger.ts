import { ledgerStateOf, applyEntry, type LedgerState, type Entry } from './ledger-state.ts'
import type { CancelledReference, Payment } from '../payment/payment.ts'
import type { FinalOutcome } from '../qr/scenario.ts'

/** A new payment; the ledger adds the omitted members. */
export type NewPayment = Omit<Payment, 'sequence' | 'timesPaid' | 'paidAt' | 'updatedAt'>

/**
 * The network's ledger: one paying account, one account per merchant, and for each reference either
 * one payment or one cancellation. Every operation is synchronous, so requests cannot interleave.
 */
export type Ledger = {
  find(reference: string): Payment | CancelledReference | undefined
  /** Records a payment under an unused reference, and moves the money if it is `paid`. */
  record(payment: NewPayment): Payment
  /**
   * Settles a late payment; `paid` becomes `no_liquidity` without enough balance. With `force` it
   * changes a final outcome and returns money that was paid.
   */
  settle(reference: string, outcome: FinalOutcome, force?: boolean): Payment | SettleRefusal
  /** Returns the payment under the reference, or cancels the reference forever. */
  cancel(reference: string): Payment | CancelledReference
  /** Sets the balance of the paying account. */
  setAvailable(available: bigint): void
  available(): bigint
  /** The current state, read-only. */
  state(): Readonly<LedgerState>
  /** Removes everything and sets the initial balance. */
  reset(liquidity: bigint): void
}

/** No payment has the reference, or its outcome is final already. */
export type SettleRefusal = 'not_seen' | 'not_pending'

/**
 * @param state   the initial state, which the ledger changes
 * @param append  stores each new entry, in order
 */
export function createLedger(state: LedgerState, append: (entry: Entry) => void, now: () => number): Ledger {
  const commit = (entry: Entry): void => {
    applyEntry(state, entry)
    append(entry)
  }
  const available = (): bigint => state.funded - state.spent
  const save = (payment: Payment): Payment => {
    commit({ type: 'payment', payment })
    return payment
  }
  /** The only place where a payment becomes paid. */
  const pay = (payment: Payment): Payment =>
    save({
      ...payment,
      outcome: 'paid',
      sequence: payment.sequence ?? state.sequence.length + 1,
      timesPaid: payment.timesPaid + 1,
      paidAt: now(),
    })
  return {
    find: (reference) => state.byReference.get(reference),
    record(payment) {
      if (state.byReference.has(payment.reference)) throw new Error('The reference is already used.')
      const fresh = { ...payment, sequence: null, timesPaid: 0, paidAt: null, updatedAt: now() }
      return payment.outcome === 'paid' ? pay(fresh) : save(fresh)
    },
    settle(reference, outcome, force = false) {
      const payment = state.byReference.get(reference)
      if (!payment) return 'not_seen'
      if (payment.outcome === 'closed_unpaid') return 'not_pending'
      if (payment.outcome !== 'pending' && !force) return 'not_pending'
      if (payment.outcome === outcome) return payment
      const open = { ...payment, finalOutcome: null, settleAt: null, updatedAt: now() }
      if (outcome !== 'paid') return save({ ...open, outcome })
      return available() < payment.amount ? save({ ...open, outcome: 'no_liquidity' }) : pay(open)
    },
    cancel(reference) {
      const known = state.byReference.get(reference)
      if (known) return known
      const cancelled: CancelledReference = { reference, outcome: 'closed_unpaid', updatedAt: now() }
      commit({ type: 'cancelled', cancelled })
      return cancelled
    },
    setAvailable: (amount) => commit({ type: 'funded', total: state.spent + amount }),
    available,
    state: () => state,
    reset(liquidity) {
      state = ledgerStateOf([{ type: 'funded', total: liquidity }])
    },
  }
}
