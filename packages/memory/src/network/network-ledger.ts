import type { Bob, Clock } from '@quipu/core'
import type {
  FinalPaymentOutcome,
  NetworkAnswer,
  PaymentOrder,
  PaymentOutcome,
  StatementRow,
} from '@quipu/core/adapter'

/** The network's record of one reference. */
type Entry = {
  readonly order: PaymentOrder
  /** The amount to pay. */
  readonly amount: Bob
  answer: Exclude<NetworkAnswer, { type: 'unknown' | 'not_sent' }>
  /** When a late payment becomes `paid`; null when only `settle` decides it. */
  readonly dueAt: Date | null
}

/** Each reference has one payment or one cancellation, never both, and is paid at most once. */
export type NetworkLedger = {
  answerOf(reference: string): NetworkAnswer | undefined
  /** Enters an order under a new reference. A reference that exists answers with its record, if orders are repeatable. */
  enter(order: PaymentOrder, outcome: PaymentOutcome, amount: Bob): NetworkAnswer
  /** Decides a late payment. Does nothing to any other. */
  settle(reference: string, outcome: FinalPaymentOutcome): void
  /** Answers the payment, or cancels the reference for good. */
  cancel(reference: string): NetworkAnswer
  available(): Bob
  /** Payments, oldest first. */
  payments(): readonly StatementRow[]
}

export type NetworkLedgerOptions = {
  readonly now: Clock
  readonly funds: Bob
  readonly lateSeconds: number | null
  /** Otherwise a reference that exists is entered and paid again. */
  readonly isPayRepeatable: boolean
}

export function networkLedger(options: NetworkLedgerOptions): NetworkLedger {
  const { now, funds, lateSeconds, isPayRepeatable } = options

  const account = payingAccount(funds)
  const entries = new Map<string, Entry>()
  const late = new Set<Entry>()
  const cancelled = new Set<string>()

  function settleEntry(entry: Entry, outcome: FinalPaymentOutcome, at: Date): void {
    late.delete(entry)
    entry.answer = outcome === 'paid' ? account.pay(entry.order, entry.amount, at) : { type: outcome }
  }
  function settleDue(): void {
    for (const entry of late) {
      if (entry.dueAt !== null && entry.dueAt <= now()) settleEntry(entry, 'paid', entry.dueAt)
    }
  }
  function answerOf(reference: string): NetworkAnswer | undefined {
    settleDue()
    return cancelled.has(reference) ? { type: 'cancelled' } : entries.get(reference)?.answer
  }

  return {
    answerOf,
    enter(order, outcome, amount) {
      const answer = answerOf(order.reference)
      if (answer !== undefined && isPayRepeatable) {
        const first = entries.get(order.reference)?.order ?? order
        return isSame(first, order) ? answer : { type: 'unknown', reason: 'REFERENCE_REUSED', breach: true }
      }
      const dueAt = lateSeconds === null ? null : new Date(now().getTime() + lateSeconds * 1000)
      const entry: Entry = { order, amount, answer: { type: 'pending' }, dueAt }
      entries.set(order.reference, entry)
      if (outcome === 'pending') late.add(entry)
      else settleEntry(entry, outcome, now())
      return entry.answer
    },
    settle(reference, outcome) {
      const entry = entries.get(reference)
      if (entry !== undefined && late.has(entry)) settleEntry(entry, outcome, now())
    },
    cancel(reference) {
      const answer = answerOf(reference)
      if (answer === undefined) cancelled.add(reference)
      return answer ?? { type: 'cancelled' }
    },
    available: account.available,
    payments: () => {
      settleDue()
      return account.payments
    },
  }
}

/** The account that merchants are paid from. */
function payingAccount(funds: Bob) {
  const payments: StatementRow[] = []
  let available = funds.minor
  return {
    payments,
    available: (): Bob => ({ currency: 'BOB', minor: available }),
    pay({ reference, networkRef }: PaymentOrder, amount: Bob, paidAt: Date): Entry['answer'] {
      if (amount.minor > available) return { type: 'no_liquidity' }
      available -= amount.minor
      const paymentId = `np-${payments.length + 1}`
      payments.push({ type: 'payment', reference, networkRef, paymentId, amount, paidAt })
      return { type: 'paid', amount, paymentId }
    },
  }
}

const isSame = (a: PaymentOrder, b: PaymentOrder): boolean =>
  a.content === b.content &&
  a.networkRef === b.networkRef &&
  a.amount.minor === b.amount.minor &&
  a.description === b.description
