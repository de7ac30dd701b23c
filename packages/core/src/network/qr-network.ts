import type { Bob } from '../money.ts'

/** `closed`: the QR fixes the amount. `open`: the payer chooses it. */
export type AmountMode = 'closed' | 'open'

/** Who is paid, as the QR says. Account and document numbers never leave the network's adapter. */
export type Merchant = { readonly name: string; readonly bankCode: string }

/** What a QR says when the network reads it. */
export type QrRead = {
  readonly type: 'read'
  /** The network's own reference for this reading; sent back with the payment. */
  readonly networkRef: string
  readonly amountMode: AmountMode
  /** The QR's own amount; null when open. */
  readonly amount: Bob | null
  readonly merchant: Merchant
  readonly description: string | null
  readonly expiresAt: Date | null
}

/** The network read the content and will not have it: unreadable, expired, used, or not in BOB. */
export type QrRefused = { readonly type: 'refused_qr'; readonly reason: string }

export type PaymentOrder = {
  /** Our payout's id: at most one payment is ever made for it. */
  readonly reference: string
  readonly networkRef: string
  readonly content: string
  readonly amount: Bob
  /** Sent only when the QR has none of its own; the network demands one of the two. */
  readonly description: string | null
}

export type PaidAnswer = {
  readonly type: 'paid'
  /** What was paid; null when it was paid in another currency than BOB. */
  readonly amount: Bob | null
  readonly paymentId: string | null
}

/** The network said how the payment ended. It will not say anything else later. */
export type FinalAnswer =
  | PaidAnswer
  | { readonly type: 'refused_payment' }
  | { readonly type: 'refused_qr' }
  | { readonly type: 'no_liquidity' }
  | { readonly type: 'limit' }
  /** Provably never submitted: the order was malformed or the connection was refused. */
  | { readonly type: 'not_sent'; readonly reason: string }
  /** The fence closed the reference before any payment: none can follow. */
  | { readonly type: 'cancelled' }

export type NetworkAnswer =
  | FinalAnswer
  /** The network knows the payment and has not ended it. */
  | { readonly type: 'late' }
  /**
   * Nothing can be concluded: a timeout, a broken answer, a code that was not agreed on. Only
   * `status` may follow. `breach`: the network did answer, and against what was agreed.
   */
  | { readonly type: 'unknown'; readonly reason: string; readonly breach?: true }

/** The outcome of a payment that the network has recorded. Its adapter and every fake derive from it. */
export type PaymentOutcome = Exclude<NetworkAnswer['type'], 'not_sent' | 'cancelled' | 'unknown'>
export type FinalPaymentOutcome = Exclude<PaymentOutcome, 'late'>

/** Whether the network answered, be it against what was agreed. */
export const isAnswered = (answer: NetworkAnswer): boolean =>
  answer.type !== 'unknown' || answer.breach === true

/** One line of the network's own books. */
export type StatementRow = {
  readonly reference: string
  readonly networkRef: string
  readonly paymentId: string
  readonly amount: Bob
  readonly paidAt: Date
}

/**
 * The network that reads QRs and pays merchants.
 *
 * `pay`, `status` and `close` never throw: an answer that cannot be understood is `unknown`.
 */
export type QrNetwork = {
  /** @throws Unavailable when the network cannot be asked, or `signal` ends the question */
  readQr(content: string, signal: AbortSignal): Promise<QrRead | QrRefused>
  /** Idempotent by `order.reference`. Resolves at the latest by the adapter's own deadline. */
  pay(order: PaymentOrder): Promise<NetworkAnswer>
  /** `not_seen` is no proof of non-payment: an order may still be on its way. */
  status(reference: string, networkRef: string): Promise<NetworkAnswer | { type: 'not_seen' }>
  /**
   * The fence: answers the payment that exists, or closes the reference so that none can follow.
   * Absent where the network has none; an operator then decides with evidence.
   */
  cancel?(reference: string, networkRef: string): Promise<NetworkAnswer>
  /** BOB that the network can still pay out for us. @throws Unavailable */
  liquidity(): Promise<{ readonly available: Bob; readonly at: Date }>
  /** Payments made in the period, oldest first. @throws Unavailable */
  statement(from: Date, to: Date): AsyncIterable<StatementRow>
}
