import type { Quote, QuoteView } from './quote.ts'
import type { Rate } from './rate.ts'
import type { Resolution } from './resolution.ts'

/** A quote before the store has put its clock on it. */
export type QuoteDraft = Omit<Quote, 'createdAt' | 'expiresAt'>

export type QuoteStore = {
  /** Stores the quote; `createdAt` and `expiresAt` are set by the store's clock, in whole milliseconds. */
  insert(draft: QuoteDraft, lifeSeconds: number): Promise<Quote>
  find(tenantId: string, id: string): Promise<QuoteView | undefined>
}

export type ResolutionStore = {
  insert(resolution: Resolution): Promise<void>
  find(tenantId: string, id: string): Promise<Resolution | undefined>
}

/** What one USDT fetches now, as a source says. */
export type RateReading = {
  readonly bid: Rate
  /** Where the rate comes from, kept with the quote: `fixed`, `composite(a,b)`. */
  readonly source: string
  /** The source's own time. */
  readonly observedAt: Date
}

export type RateSource = {
  /** @throws Unavailable when no fresh, agreed rate is at hand: there is never a fallback constant */
  current(): Promise<RateReading>
}
