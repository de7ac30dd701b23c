import type { NewEvent } from '../event/event.ts'
import type { Redated } from '../event/redate-event.ts'
import type { RaisedAlerts } from './alerts.ts'
import type { QuoteView } from '../quote/quote.ts'
import type { Resolution } from '../quote/resolution.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Deadline } from '../time.ts'
import type {
  Payout,
  PayoutStatus,
  ProcessingPayout,
  SettledPayout,
  PayoutStep,
  UnappliedPayout,
} from './payout.ts'

/**
 * A lease on a payout in `processing`: who holds it may ask the network and settle.
 *
 * The fence grows with every claim, so that a holder whose lease ended can no longer write.
 */
export type PayoutClaim = {
  readonly tenantId: string
  readonly payoutId: string
  readonly fencingToken: number
}

/** The claim that applying gives to the request that applied. */
export const ownerClaim = ({ tenantId, id }: ProcessingPayout): PayoutClaim => ({
  tenantId,
  payoutId: id,
  fencingToken: 1,
})

/**
 * One durable write: state, transfers and events together, guarded on the state it expects.
 *
 * A store that has not sent a new payout by its `deadline` drops it and throws `Unavailable`: nobody
 * waits for it any more, and its `transaction_id` is to stay free.
 */
export type PayoutCommit =
  /**
   * Inserts the payout, uses its quote and holds `quote.source`, if (in this order) the
   * `transaction_id` is free, the quote is unused and unexpired, and the balance suffices. The
   * writer owns the payout by a lease of `leaseSeconds`.
   */
  | {
      readonly kind: 'apply'
      readonly step: PayoutStep<ProcessingPayout, null>
      readonly fingerprint: string
      readonly leaseSeconds: number
      readonly deadline?: Deadline
    }
  /**
   * Inserts a payout that ended before it was applied, if the `transaction_id` is free. An instant before
   * the newest of the tenant's log is dated as that one (`Redated`), in the event too.
   */
  | {
      readonly kind: 'insert_ended'
      readonly step: PayoutStep<UnappliedPayout, NewEvent | null>
      readonly fingerprint: string
      readonly deadline?: Deadline
    }
  /**
   * Ends a payout in `processing`, if the claim's fence is still the newest. An instant before the newest of
   * the tenant's log is dated as that one (`Redated`), in the event too: the entries of the log are in the
   * order of their instants.
   */
  | {
      readonly kind: 'settle'
      readonly step: PayoutStep<SettledPayout, NewEvent | null>
      readonly claim: PayoutClaim
    }

export type PayoutCommitResult =
  | 'committed'
  /** Another writer moved this payout first: read it back. Nothing was written. */
  | 'stale'
  | 'quote_used'
  | 'quote_expired'
  | 'insufficient_balance'

/** A payout with what a repeated request needs to know of it. */
export type StoredPayout = {
  readonly payout: Payout
  readonly fingerprint: string
  /** Somebody's lease on it still lives. */
  readonly leased: boolean
  /** The store's time less `createdAt`, in milliseconds. Negative when its creator's clock was ahead. */
  readonly ageMs: number
}

/** What a request for a new payout needs to know, in one consistent reading. */
export type FoundForCreate = {
  readonly stored: StoredPayout | undefined
  readonly quote: QuoteView | undefined
  /** The resolution that the quote names. */
  readonly resolution: Resolution | undefined
}

export type PayoutQuery = PageQuery & {
  readonly transactionId?: string
  readonly status?: Exclude<PayoutStatus, 'processing'>
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

export type ClaimedPayout = {
  readonly payout: ProcessingPayout
  readonly claim: PayoutClaim
  /** How often a worker has claimed it, this time included. */
  readonly claimCount: number
  /** How many of the workers' questions about it the network did not answer. */
  readonly unansweredCount: number
  /** How long it has been in `processing`, by the store's clock. */
  readonly openSeconds: number
  /** The alerts that were raised about it. */
  readonly raised: RaisedAlerts
}

/** What the holder of a claim leaves for the next one. */
export type ClaimYield = {
  /** When a worker asks next, unless something brings it forward. */
  readonly dueInSeconds: number
  /** What became of the worker's question; left out by the owner, which asked none. */
  readonly statusCall?:
    | { readonly answered: true }
    | { readonly answered: false; readonly probeInSeconds: number }
  readonly raised: RaisedAlerts
}

/**
 * `latest` may show commits that can still be lost with the server: it is for what a later write of the
 * caller's decides. `confirmed` shows durable state alone: a request may be answered from it.
 */
export type ReadConsistency = 'latest' | 'confirmed'

/**
 * Every method throws `Unavailable` when the database cannot be read or written, or when the
 * outcome of a write could not be found out. Whatever a method answers is durable, but for a `latest`
 * reading.
 */
export type PayoutStore = {
  /** A payout that it finds is durable in either reading. */
  findForCreate(
    tenantId: string,
    transactionId: string,
    quoteId: string,
    reading: ReadConsistency,
  ): Promise<FoundForCreate>
  /** Reads afresh, never from a cache or an older snapshot. */
  find(tenantId: string, transactionId: string): Promise<StoredPayout | undefined>
  get(tenantId: string, id: string): Promise<Payout | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(tenantId: string, query: PayoutQuery): Promise<Page<Payout>>
  /** Answers after the write is durable. */
  commit(write: PayoutCommit): Promise<PayoutCommitResult | Redated>

  /** Keeps the lease for `leaseSeconds` from now. False when the claim is no longer the newest. */
  renew(claim: PayoutClaim, leaseSeconds: number): Promise<boolean>
  /**
   * Ends the lease; the payout is due for a worker in `dueInSeconds`. False as in `renew`.
   *
   * A payout whose question was not answered is due in `probeInSeconds` at the latest, unless a worker
   * asks about another one like it by then.
   */
  yieldClaim(claim: PayoutClaim, given: ClaimYield): Promise<boolean>
  /** Claims payouts in `processing` that are due and whose lease, if any, has ended; oldest due first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedPayout[]>
  /**
   * Makes a payout due now; one that is leased, when the lease is given back. A hint: a payout that
   * is unknown or has ended is left alone.
   */
  wake(payoutId: string): Promise<void>
  /**
   * Brings forward every payout whose last question was not answered, for the network answers again:
   * one after another, `perSecond` of them a second among all callers, none sooner after its question
   * than `catchUpPausesSeconds` and none later than it was due.
   */
  catchUp(perSecond: number): Promise<void>
}
