import type { QuotePrice } from './price.ts'
import type { Rate } from './rate.ts'

/** A firm price for one payment. @source spec §2 Quote */
export type Quote = QuotePrice & {
  readonly id: string
  readonly tenantId: string
  /** The resolution that the quote was made for. */
  readonly resolutionId: string | null
  /** The market rate behind the price, kept as evidence. */
  readonly bid: Rate
  readonly rateSource: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A quote with its current status, by the store's clock. */
export type QuoteView = {
  readonly quote: Quote
  readonly status: 'open' | 'used' | 'expired'
  /** The payout that used it. */
  readonly payoutId: string | null
}
