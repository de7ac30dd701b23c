import type { NewEvent } from '../event/event.ts'
import type { Redated } from '../event/redated.ts'
import type { NetworkCall } from '../network/network-call.ts'
import type { RaisedAlerts } from './alerts.ts'
import type { QuoteView } from '../quote/quote.ts'
import type { Resolution } from '../quote/resolution.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Deadline } from '../time.ts'
import type {
  Payout,
  PayoutMetadata,
  PayoutStatus,
  ProcessingPayout,
  SettledPayout,
  PayoutStep,
  DeclinedPayout,
} from './payout.ts'

/**
 * A lease on a payout in `processing`: its holder calls the network and settles the payout.
 *
 * Every claim has a higher fencing token, so a write under an expired lease is refused after the next claim.
 */
export type PayoutClaim = { readonly tenantId: string; readonly payoutId: string; readonly fencingToken: number }

/** The claim of the request that accepted the payout. */
export const ownerClaim = ({ tenantId, id }: ProcessingPayout): PayoutClaim => ({
  tenantId,
  payoutId: id,
  fencingToken: 1,
})

/**
 * One durable write of state, transfer and event, guarded on the expected state.
 *
 * A store that has not sent a new payout by its `deadline` drops the write and throws `Unavailable`: the
 * caller has given up, and the `transaction_id` stays free.
 */
export type PayoutCommit =
  /**
   * Inserts the payout, uses its quote and posts the hold, if (in this order) the `transaction_id` is free, the
   * stored tenant is active and the key usable, the quote is unused, unexpired and within the stored payment cap,
   * the day's payouts stay within the stored `dailyLimits`, and the balance suffices. The writer holds a lease of `leaseSeconds`.
   */
  | {
      readonly kind: 'accept'
      readonly step: PayoutStep<ProcessingPayout, null>
      readonly fingerprint: string
      readonly leaseSeconds: number
      /** `markOrdered` comes before the order: without its mark the order never left. */
      readonly marksOrder?: true
      readonly deadline?: Deadline
    }
  /**
   * Inserts a payout that ended before it was accepted, if the `transaction_id` is free, the stored tenant active and
   * the key usable. Redates payout and event if the tenant's log has a later entry (`Redated`).
   */
  | {
      readonly kind: 'insert_ended'
      readonly step: PayoutStep<DeclinedPayout, NewEvent | null>
      readonly fingerprint: string
      readonly deadline?: Deadline
    }
  /**
   * Settles a payout in `processing`, if the claim's fencing token is the newest. Redates payout and event if
   * the tenant's log has a later entry (`Redated`).
   */
  | {
      readonly kind: 'settle'
      readonly step: PayoutStep<SettledPayout, NewEvent | null>
      readonly claim: PayoutClaim
      /** The payout's `networkRef`, where the network gave another one than its reading. */
      readonly networkRef?: string | undefined
    }

/** The result of `PayoutStore.commit`; nothing was written unless it is `committed`. */
export type PayoutCommitResult =
  | 'committed'
  /** Another write came first: read the payout back. */
  | 'stale'
  /** The tenant is suspended, or the key was revoked or has expired. */
  | 'not_allowed'
  | 'quote_used'
  | 'quote_expired'
  /** The target is above the tenant's payment cap. */
  | 'above_cap'
  | 'daily_limit_exceeded'
  | 'insufficient_balance'

/** A payout with what a repeated request is answered from. */
export type StoredPayout = {
  readonly payout: Payout
  readonly fingerprint: string
  /** Whether a lease on it is alive. */
  readonly leased: boolean
  /** The store's time less `createdAt`, in milliseconds. Negative when the creating process's clock was ahead. */
  readonly ageMs: number
}

/** The rows that a request for a new payout needs, in one consistent reading. */
export type FoundForCreate = {
  readonly stored: StoredPayout | undefined
  readonly quote: QuoteView | undefined
  /** The resolution that the quote names. */
  readonly resolution: Resolution | undefined
}

/** A page of payouts, filtered. */
export type PayoutQuery = PageQuery & {
  readonly transactionId?: string
  readonly status?: Exclude<PayoutStatus, 'processing'>
  /** Only payouts in `processing`; never with `status`. */
  readonly isOpen?: true
  readonly description?: string
  /** Only payouts that have all of these members. */
  readonly metadata?: PayoutMetadata
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

/** A payout that a worker has claimed. */
export type ClaimedPayout = {
  readonly payout: ProcessingPayout
  readonly claim: PayoutClaim
  /** How often workers and operators have claimed it, including this claim. */
  readonly claimCount: number
  /** How many status calls about it the network did not answer. */
  readonly unanswered: number
  /** How long it has been in `processing`, by the store's clock. */
  readonly openSeconds: number
  /** The alerts raised about it. */
  readonly raised: RaisedAlerts
  /**
   * Whether its order may have left. False is a proof: no order was or will be sent, as `markOrdered` fails after this
   * claim. Null when no mark was kept, which proves nothing.
   */
  readonly isOrdered: boolean | null
  /** The `networkRef` of the payout, where the network gave another one than its reading; else null. */
  readonly givenRef: string | null
  /** The W3C `traceparent` of the request that accepted it, if a trace records it. For hosts; the core ignores it. */
  readonly traceparent?: string | undefined
}

/** The facts that a yielded claim stores for the next one. */
export type ClaimYield = {
  /** When the payout is due, unless it is brought forward. */
  readonly dueInSeconds: number
  /** The result of the worker's status call; absent from the owner, which makes none. */
  readonly statusCall?: { readonly answered: true } | { readonly answered: false; readonly probeInSeconds: number }
  readonly raised: RaisedAlerts
  /** The calls to the network that the holder made; stored as by `NetworkCallStore.record`. */
  readonly calls: readonly NetworkCall[]
  /** The reference that the network gave with its answer; the next claims have it. */
  readonly networkRef?: string | undefined
}

/**
 * `latest` may show commits that the server can still lose: for decisions that the caller's own write
 * guards. `confirmed` shows durable state only: for answers.
 */
export type ReadConsistency = 'latest' | 'confirmed'

/**
 * Stores payouts. Every method throws `Unavailable` when the database cannot be read or written, or when the
 * outcome of a write is unknown. All results are durable, except those of a `latest` reading.
 */
export type PayoutStore = {
  /** A `stored` payout is durable in either reading. */
  findForCreate(
    tenantId: string,
    transactionId: string,
    quoteId: string,
    reading: ReadConsistency,
  ): Promise<FoundForCreate>
  /** Never reads from a cache or an older snapshot. */
  find(tenantId: string, transactionId: string): Promise<StoredPayout | undefined>
  get(tenantId: string, id: string): Promise<Payout | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(tenantId: string, query: PayoutQuery): Promise<Page<Payout>>
  /** Answers after the write is durable. */
  commit(write: PayoutCommit): Promise<PayoutCommitResult | Redated>

  /**
   * Extends the lease to `leaseSeconds` from now, also one that has expired. False when the claim is not the
   * newest, or was yielded.
   */
  renew(claim: PayoutClaim, leaseSeconds: number): Promise<boolean>
  /**
   * As `renew`, and marks durably that the payout's order may leave: the owner calls the network afterwards, and only
   * when the result is true.
   */
  markOrdered(claim: PayoutClaim, leaseSeconds: number): Promise<boolean>
  /**
   * Ends the lease; the payout is due in `dueInSeconds`. False when the claim is not the newest.
   *
   * After an unanswered status call it is due in `probeInSeconds` at the latest, unless a worker makes a
   * status call about another such payout by then.
   */
  yieldClaim(claim: PayoutClaim, given: ClaimYield): Promise<boolean>
  /** Claims payouts in `processing` that are due and not leased; oldest due first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedPayout[]>
  /**
   * Makes a payout due now, or when its claim is yielded if it is leased. Ignores payouts that are unknown
   * or not in `processing`.
   */
  hint(payoutId: string): Promise<void>
  /**
   * Brings forward all payouts whose last status call was unanswered, because the network answers again:
   * `perSecond` payouts a second for all callers together, each at least `catchUpDelaysSeconds` after its
   * last status call and none later than it was due.
   */
  catchUp(perSecond: number): Promise<void>
}
