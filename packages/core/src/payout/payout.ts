import type { EventOf, PayoutEventType } from '../event/event.ts'
import type { Transfer } from '../ledger/ledger.ts'
import type { Bob } from '../money.ts'
import type { AmountMode, Merchant } from '../network/qr-network.ts'
import type { Quote } from '../quote/quote.ts'

/** The QR that was read for a payout. */
export type PayoutQr = { readonly amountMode: AmountMode; readonly merchant: Merchant }

/** The members of a request that its payout keeps and shows. */
export type RequestedPayout = {
  readonly transactionId: string
  /** The tenant's own members; left out when there are none. */
  readonly metadata?: PayoutMetadata | undefined
  /** The quote that the request named, accepted or not. */
  readonly quoteId: string
}

/** Texts of the tenant by their keys, which the service stores and shows. */
export type PayoutMetadata = Readonly<Record<string, string>>

/** The members of a payout that are known before its outcome. */
export type PayoutDraft = RequestedPayout & {
  readonly id: string
  readonly tenantId: string
  readonly resolutionId: string | null
  /** The API key that asked for it; null when the caller authenticated otherwise. */
  readonly keyId: string | null
  /** The amount for the merchant; the QR's own amount after `QUOTE_AMOUNT_MISMATCH`. */
  readonly target: Bob
  readonly createdAt: Date
  /** The request's; left out when there is none. */
  readonly description?: string | undefined
}

/** Accepted: the payout has used its quote and held the quote's source amount. */
type Accepted = PayoutDraft & {
  readonly quote: Quote
  readonly qr: PayoutQr
  /** The network's reference for the QR reading that is being paid. */
  readonly networkRef: string
}

type Ended<Code extends string> = {
  readonly error: { readonly code: Code; readonly message: string }
  readonly endedAt: Date
}

/** Accepted and not settled. */
export type ProcessingPayout = Accepted & { readonly status: 'processing' }
/** The merchant was paid. */
export type CompletedPayout = Accepted & {
  readonly status: 'completed'
  readonly endedAt: Date
  /** The network's id of the payment. */
  readonly networkPaymentId: string | null
}
/** The network refused the payment. */
export type FailedPayout = Accepted & Ended<'PAYMENT_FAILED'> & { readonly status: 'failed' }
/** The network refused the QR of the payment order. */
export type RejectedPayout = Accepted & Ended<'QR_REFUSED'> & { readonly status: 'rejected' }
/** No payment was made and none can follow. */
export type CancelledPayout = Accepted &
  Ended<'INSUFFICIENT_FUNDS' | 'AMOUNT_EXCEEDS_PROVIDER_LIMIT' | 'PAYMENT_CANCELLED'> & { readonly status: 'cancelled' }

/** Why a payout was cancelled before it was accepted. */
export type DeclineCode =
  | 'QUOTE_AMOUNT_MISMATCH'
  /** The quote names a resolution, and the QR is another merchant's. */
  | 'QUOTE_RESOLUTION_MISMATCH'
  | 'AMOUNT_EXCEEDS_PROVIDER_LIMIT'
  /** A limit of the tenant's day: amount or number of payouts. */
  | 'DAILY_LIMIT_EXCEEDED'
  | 'INSUFFICIENT_BALANCE'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_ALREADY_USED'

/** Ended before it was accepted: without a hold and without using its quote. */
export type DeclinedPayout =
  | (PayoutDraft & Ended<'QR_REFUSED'> & { readonly status: 'rejected'; readonly quote: null; readonly qr: null })
  | (PayoutDraft & Ended<DeclineCode> & { readonly status: 'cancelled'; readonly quote: null; readonly qr: PayoutQr })

/** A payout that was accepted and has its final state. */
export type SettledPayout = CompletedPayout | FailedPayout | RejectedPayout | CancelledPayout
/** A payout in a final state, accepted or not. */
export type EndedPayout = SettledPayout | DeclinedPayout
/** A payment of a merchant, in one of its states. @source spec §3 Payout statuses */
export type Payout = ProcessingPayout | EndedPayout
/** The states of a payout. @source spec §3 Payout statuses */
export type PayoutStatus = Payout['status']
/** `error.code` of a payout. @source spec §7 Payment failure codes */
export type PayoutErrorCode = Extract<Payout, { error: unknown }>['error']['code']

/** An event about a payout that ended, or that was refunded later. */
export type PayoutEvent = EventOf<PayoutEventType, EndedPayout>

/**
 * A payout's new state with the transfer and the event that belong to it: all are committed, or none.
 *
 * A pure step names the event's type; the step of a commit carries the event itself (`NewEvent`).
 */
export type PayoutStep<P extends Payout = Payout, Event = PayoutEventType | null> = {
  readonly payout: P
  /** Null when no money moves: the payout ended before its hold. */
  readonly transfer: Transfer | null
  /** Null when the step has none. */
  readonly event: Event
}
