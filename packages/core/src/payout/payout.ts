import type { Transfer } from '../ledger/ledger.ts'
import type { Bob } from '../money.ts'
import type { AmountMode, Merchant } from '../network/qr-network.ts'
import type { Quote } from '../quote/quote.ts'

export type PayoutQr = { readonly amountMode: AmountMode; readonly merchant: Merchant }

type Request = {
  readonly id: string
  readonly tenantId: string
  readonly transactionId: string
  /** The quote that the request named, applied or not. */
  readonly quoteId: string
  readonly resolutionId: string | null
  /** What the merchant receives; the QR's own amount when cancelled for mismatch. */
  readonly target: Bob
  readonly createdAt: Date
}

/** Applied: the quote is used and its source amount was held. */
type Applied = Request & {
  readonly quote: Quote
  readonly qr: PayoutQr
  /** The network's reference for the QR reading that is being paid. */
  readonly networkRef: string
}

type Ended<Code extends string> = {
  readonly error: { readonly code: Code; readonly message: string }
  readonly endedAt: Date
}

export type ProcessingPayout = Applied & { readonly status: 'processing' }
export type CompletedPayout = Applied & {
  readonly status: 'completed'
  readonly endedAt: Date
  /** The network's own id of the payment. */
  readonly networkPaymentId: string | null
}
export type FailedPayout = Applied & Ended<'PAYMENT_FAILED'> & { readonly status: 'failed' }
/** The network refused the QR when it was asked to pay. */
export type RejectedPayout = Applied & Ended<'QR_REFUSED'> & { readonly status: 'rejected' }
export type CancelledPayout = Applied &
  Ended<'INSUFFICIENT_FUNDS' | 'AMOUNT_EXCEEDS_PROVIDER_LIMIT' | 'PAYMENT_CANCELLED'> & {
    readonly status: 'cancelled'
  }

export type UnappliedCancelCode =
  | 'QUOTE_AMOUNT_MISMATCH'
  | 'AMOUNT_EXCEEDS_PROVIDER_LIMIT'
  | 'INSUFFICIENT_BALANCE'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_ALREADY_USED'

/** Ended before anything was held: the quote was not used by it. */
export type UnappliedPayout =
  | (Request &
      Ended<'QR_REFUSED'> & {
        readonly status: 'rejected'
        readonly quote: null
        readonly qr: null
      })
  | (Request &
      Ended<UnappliedCancelCode> & {
        readonly status: 'cancelled'
        readonly quote: null
        readonly qr: PayoutQr
      })

export type SettledPayout = CompletedPayout | FailedPayout | RejectedPayout | CancelledPayout
export type EndedPayout = SettledPayout | UnappliedPayout
export type Payout = ProcessingPayout | EndedPayout
export type PayoutStatus = Payout['status']
/** `error.code` of a payout. @source spec §7 Payment failure codes */
export type PayoutErrorCode = Extract<Payout, { error: unknown }>['error']['code']

/** @source spec §6 */
export const payoutEventTypes = ['payout.completed', 'payout.failed', 'payout.cancelled'] as const
export type PayoutEventType = (typeof payoutEventTypes)[number]

/**
 * A payout's new state with the transfer and the event that belong to it: all are committed, or none.
 *
 * A pure step names the event's type; the step of a commit carries the event itself (`NewEvent`).
 */
export type PayoutStep<P extends Payout = Payout, Event = PayoutEventType | null> = {
  readonly payout: P
  /** Null when no money moves: the payout ended before its hold. */
  readonly transfer: Transfer | null
  /** Null when the tenant is sent none. */
  readonly event: Event
}
