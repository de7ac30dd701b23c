import type { Quote, QuoteView } from './quote.ts'
import type { Rate } from './rate.ts'
import type { Resolution } from './resolution.ts'

/** A quote before the store has set its instants. */
export type QuoteDraft = Omit<Quote, 'createdAt' | 'expiresAt'>

/** Stores quotes. Every method throws `Unavailable` when the database cannot be read or written. */
export type QuoteStore = {
  /** Inserts the quote; sets `createdAt` and `expiresAt` by the store's clock, in whole milliseconds. */
  insert(draft: QuoteDraft, lifeSeconds: number): Promise<Quote>
  find(tenantId: string, id: string): Promise<QuoteView | undefined>
}

/** Stores resolutions. Every method throws `Unavailable` when the database cannot be read or written. */
export type ResolutionStore = {
  insert(resolution: Resolution): Promise<void>
  find(tenantId: string, id: string): Promise<Resolution | undefined>
}

/** The current market rate of a source. */
export type RateReading = {
  readonly bid: Rate
  /** The name of the source, stored with the quote: `fixed`, `composite(a,b)`. */
  readonly source: string
  /** The source's own time. */
  readonly observedAt: Date
}

/** Gives the market rate. */
export type RateSource = {
  /** @throws Unavailable when there is no fresh, agreed rate: a source never falls back to a constant */
  current(): Promise<RateReading>
}
