import type { Credential } from '../access/operator.ts'
import type { Quote, QuoteView } from './quote.ts'
import type { Quoting, QuotingChange } from './quoting.ts'
import type { Rate } from './rate.ts'
import type { Resolution } from './resolution.ts'

/** A quote before the store has set its instants. */
export type QuoteDraft = Omit<Quote, 'createdAt' | 'expiresAt'>

/** Stores quotes. Every method throws `Unavailable` when the database cannot be read or written. */
export type QuoteStore = {
  /**
   * Inserts the quote; sets `createdAt` and `expiresAt` by the store's clock, in whole milliseconds.
   * `not_allowed`: the stored tenant is suspended, or the key was revoked or has expired. `no_resolution`: the draft
   * names one that the tenant does not have. Nothing was written then.
   *
   * @param keyId  the API key that asked for it; null when the caller authenticated otherwise
   * @throws Unavailable of `rate_source` while an operator has paused quoting: nothing is written
   */
  insert(draft: QuoteDraft, lifeSeconds: number, keyId: string | null): Promise<Quote | 'not_allowed' | 'no_resolution'>
  find(tenantId: string, id: string): Promise<QuoteView | undefined>
}

/** Stores whether quotes are given. Every method throws `Unavailable` when the database cannot be read or written. */
export type QuotingStore = {
  get(): Promise<Quoting>
  /**
   * Pauses or resumes quoting, with the audit entry `auditQuoting`. Every insertion of a quote that begins later
   * obeys. Nothing was written when it is `stale`, as the status is this one already, or `unauthorized`: without the
   * active token of an operator.
   */
  set(status: Quoting['status'], change: QuotingChange, by: Credential): Promise<'committed' | 'stale' | 'unauthorized'>
}

/** Stores resolutions. Every method throws `Unavailable` when the database cannot be read or written. */
export type ResolutionStore = {
  /** `not_allowed` and `keyId` as in `QuoteStore.insert`. */
  insert(resolution: Resolution, keyId: string | null): Promise<'committed' | 'not_allowed'>
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

/** The last answer of one of the sources behind a rate. */
export type SourceReport = {
  readonly name: string
  /** Null when it gave none. */
  readonly reading: RateReading | null
  /** Why no quote can use the reading, such as its age; null when quotes can. */
  readonly problem: string | null
}

/** The sources behind a rate, as the newest poll of this process found them. */
export type RateReport = {
  readonly sources: readonly SourceReport[]
  /**
   * How far the usable readings are apart, in basis points of the lowest bid, rounded up. They agree up to the
   * maximum. Null with fewer than two.
   */
  readonly agreement: { readonly spreadBps: number; readonly maxSpreadBps: number } | null
}

/** Gives the market rate. */
export type RateSource = {
  /** @throws Unavailable when there is no fresh, agreed rate: a source never falls back to a constant */
  current(): Promise<RateReading>
  /** The sources of the rate, for operators. Left out: they see the rate alone. */
  report?(): Promise<RateReport>
}
