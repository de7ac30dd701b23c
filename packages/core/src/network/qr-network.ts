import type { Bob } from '../money.ts'

/** `closed`: the QR fixes the amount. `open`: the payer chooses the amount. */
export type AmountMode = 'closed' | 'open'

/** The recipient named by the QR. Account and document numbers never leave the network's adapter. */
export type Merchant = { readonly name: string; readonly bankCode: string }

/** The most characters of a QR's content. The simulators of `packages/simulators` have it too. */
export const qrContentMax = 500

/** The content of a QR, as read by the network. */
export type QrRead = {
  readonly type: 'read'
  /** The network's reference of this reading; part of the payment order. */
  readonly networkRef: string
  readonly amountMode: AmountMode
  /** The QR's own amount; null when open. */
  readonly amount: Bob | null
  readonly merchant: Merchant
  readonly description: string | null
  readonly expiresAt: Date | null
}

/** The network refuses the content: unreadable, expired, used, or not in BOB. */
export type QrRefused = { readonly type: 'refused_qr'; readonly reason: string }

/** An order to pay a QR. */
export type PaymentOrder = {
  /** The payout's id: the network makes at most one payment for it. */
  readonly reference: string
  readonly networkRef: string
  readonly content: string
  readonly amountMode: AmountMode
  /** The amount that the merchant receives: the QR's own amount when it is closed. */
  readonly amount: Bob
  /** Sent only when the QR has none; the network requires one of the two. */
  readonly description: string | null
}

/** The payment was made. */
export type PaidAnswer = {
  readonly type: 'paid'
  /** The amount paid; null when it was paid in another currency than BOB. */
  readonly amount: Bob | null
  readonly paymentId: string | null
} & GivenReference

/** The reference that a network gave with its answer, where it is not that of the reading: the next status call takes it. */
type GivenReference = { readonly networkRef?: string | undefined }

/** The network's final answer about a payment: it never changes. */
export type FinalAnswer =
  | PaidAnswer
  | { readonly type: 'refused_payment' }
  | { readonly type: 'refused_qr' }
  | { readonly type: 'no_liquidity' }
  | { readonly type: 'limit' }
  /** The order provably never arrived: it was malformed or the connection was refused. */
  | { readonly type: 'not_sent'; readonly reason: string }
  /** The reference was cancelled before any payment, or its order never left: none can follow. */
  | { readonly type: 'cancelled' }

/** Ends a payout whose order provably never left: nobody queries the network. */
export const neverOrdered: FinalAnswer = { type: 'cancelled' }

/** An answer of the network about a payment. */
export type NetworkAnswer =
  | FinalAnswer
  /** The network has the payment and has not decided it. */
  | ({ readonly type: 'pending' } & GivenReference)
  /** The payment was made, and its money came back. Ends nothing: people decide, with evidence. */
  | { readonly type: 'returned' }
  /** The network has no record of the reference. Proves nothing: an order may still be on its way. Of `status` only. */
  | { readonly type: 'not_seen' }
  /**
   * The outcome is unknown: a timeout, a malformed answer, an unspecified code. Only `status` may follow.
   * `breach`: the network answered, and violated its protocol.
   */
  | ({ readonly type: 'unknown'; readonly reason: string; readonly breach?: true } & GivenReference)

/** The outcome of a payment that the network has recorded. Its adapter and every fake derive from it. */
export type PaymentOutcome = Exclude<
  NetworkAnswer['type'],
  'not_sent' | 'cancelled' | 'not_seen' | 'unknown' | 'returned'
>
/** A recorded outcome that does not change. */
export type FinalPaymentOutcome = Exclude<PaymentOutcome, 'pending'>

/** Whether the network answered, even against its protocol. */
export const isAnswered = (answer: NetworkAnswer): boolean => answer.type !== 'unknown' || answer.breach === true

/** One movement in the network's statement. */
export type StatementRow = {
  /** `return`: money of a payment that came back. Only of a network that can answer `returned`. */
  readonly type: 'payment' | 'return'
  readonly reference: string
  readonly networkRef: string
  readonly paymentId: string
  readonly amount: Bob
  readonly paidAt: Date
}

/** The proof that an order was not paid, once it may have left. */
export type UnpaidProof =
  /** `cancel` ends the reference: no payment can follow. */
  | { readonly by: 'cancel' }
  /** The statement, by the network's written word: it has each payment at most `afterSeconds` after its order. */
  | { readonly by: 'statement'; readonly afterSeconds: number }
  /** Nothing that a program can query: two people settle with evidence. */
  | { readonly by: 'people' }

/**
 * The abilities of a network and the proofs that it gives, fixed by its adapter and settings. The core, the console and
 * the documents promise nothing else, and the adapter runs the contract suites of what it claims.
 */
export type NetworkCapabilities = {
  readonly unpaidProof: UnpaidProof
  /** How it shows that it is the network of the books: it knows a completed payment by its status, or lists it. */
  readonly identityProof: 'status' | 'statement'
  /** A second `pay` of one reference answers the first one's payment. Otherwise it could pay again. */
  readonly isPayRepeatable: boolean
  /** A reading is good for one order: each payout reads its QR anew. */
  readonly isReadingSingleUse: boolean
  /** Answers about an order may give another `networkRef` than the reading's. */
  readonly givesReferenceAtPay: boolean
  /** It calls back when a payment changes. */
  readonly hasCallbacks: boolean
  /** Its statement is queried by instants, or by whole days of its zone. */
  readonly statementGrain: 'instant' | 'day'
}

/** Whether the network can end a reference, so that no payment can follow. No mark is then kept of what was ordered. */
export const cancels = ({ capabilities }: Pick<QrNetwork, 'capabilities'>): boolean =>
  capabilities.unpaidProof.by === 'cancel'

/** A network like that of the HTTP contract: it cancels references, answers a repeated order alike and calls back. */
export const cancelling: NetworkCapabilities = {
  unpaidProof: { by: 'cancel' },
  identityProof: 'status',
  isPayRepeatable: true,
  isReadingSingleUse: false,
  givesReferenceAtPay: false,
  hasCallbacks: true,
  statementGrain: 'instant',
}

/**
 * The network that reads QRs and pays merchants.
 *
 * `pay`, `status` and `cancel` never throw: a malformed answer is `unknown`.
 */
export type QrNetwork = {
  /** Which network it is, and whose account at it: the same text in every process that uses it, and in no other. */
  readonly identity: string
  readonly capabilities: NetworkCapabilities
  /** @throws Unavailable when the network cannot be reached, or `signal` aborts the call */
  readQr(content: string, signal: AbortSignal): Promise<QrRead | QrRefused>
  /** At most one call for one `order.reference`, unless `isPayRepeatable`. Resolves by the adapter's own deadline. */
  pay(order: PaymentOrder): Promise<NetworkAnswer>
  status(reference: string, networkRef: string): Promise<NetworkAnswer>
  /**
   * Answers the payment that exists, or cancels the reference so that no payment can follow. Present exactly when it is
   * the network's `unpaidProof`.
   */
  cancel?(reference: string, networkRef: string): Promise<NetworkAnswer>
  /** The BOB that the network can still pay out for this operator. @throws Unavailable */
  liquidity(): Promise<{ readonly available: Bob; readonly at: Date }>
  /** Payments made in the period and money that came back in it, oldest first. @throws Unavailable */
  statement(from: Date, to: Date): AsyncIterable<StatementRow>
}
