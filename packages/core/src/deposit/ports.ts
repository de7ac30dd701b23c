import type { Acting } from '../access/operator.ts'
import type { NewEvent } from '../event/event.ts'
import type { Redated } from '../event/redated.ts'
import type { Usdt } from '../money.ts'
import type { Page } from '../page.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import type { ChainAccount, BlockRef, Chain, ChainView } from '../chain/chain.ts'
import type { AllDepositsQuery, DepositQuery } from './deposit-query.ts'
import type {
  ClosedReview,
  CreditedDeposit,
  Deposit,
  DepositInReview,
  DepositReturn,
  DepositStep,
  PendingDeposit,
  TransferRef,
  UndecidedDeposit,
} from './deposit.ts'

/** A lease on the scan of one view of a chain. Every claim has a higher fencing token. */
export type ScanClaim = { readonly chain: Chain; readonly view: ChainView; readonly fencingToken: number }

/** A claimed scan and its position. */
export type ClaimedScan = {
  readonly claim: ScanClaim
  /** The last block that was scanned; undefined before the first. */
  readonly at: BlockRef | undefined
}

/** A transfer to a top-up address, found in a block. */
export type ObservedTransfer = {
  /** Committed when the transfer has no deposit yet. */
  readonly step: DepositStep<PendingDeposit, NewEvent>
  readonly sender: ChainAccount
  readonly block: number
  /** From then on its transaction cannot enter a block. */
  readonly expiresAt: Date
}

/** The write of consecutive blocks and what they add. */
export type ScanAdvance = {
  /** The scan's stored position; undefined before the first block. */
  readonly from: BlockRef | undefined
  /** In order, each the parent of the next, the first one of `from`: a write that leaves one out throws. At least one. */
  readonly blocks: readonly BlockRef[]
  readonly observedTransfers: readonly ObservedTransfer[]
  /** With `solid` only: pending transfers that solid blocks prove will never happen. */
  readonly gone: readonly TransferRef[]
}

/** A pending transfer that no solid block has confirmed, with the top-up address it was observed at. */
export type UnconfirmedTransfer = TransferRef & { readonly address: string; readonly expiresAt: Date }

/** Stores scans. Every method throws `Unavailable` when the database cannot be read or written. */
export type ScanStore = {
  /** Undefined while another claim's lease is alive. */
  claim(chain: Chain, view: ChainView, leaseSeconds: number): Promise<ClaimedScan | undefined>
  /** False when the claim is no longer the newest. */
  renew(claim: ScanClaim, leaseSeconds: number): Promise<boolean>
  /** Ends the lease. */
  yieldClaim(claim: ScanClaim): Promise<void>
  /** The last block scanned; undefined before the first. */
  at(chain: Chain, view: ChainView): Promise<BlockRef | undefined>
  /** The scanned blocks of the head above `number` that were not rewound, newest first. */
  refsAbove(chain: Chain, number: number): Promise<readonly BlockRef[]>
  /** Pending deposits first observed at `throughBlock` or below that solid blocks have not decided. */
  unconfirmed(chain: Chain, throughBlock: number): Promise<readonly UnconfirmedTransfer[]>
  /**
   * Writes observed transfers and advances the scan, if the claim's fencing token is the newest and the scan's position
   * is `from`. A transfer has at most one deposit that is not gone. Each new deposit's event is an entry of its
   * tenant's log, and is redated if the log has a later entry (`NewEvent.recordedOn`).
   *
   * At the head an observed transfer only inserts a deposit, if the transfer never had one. In the solid view `gone` is
   * written first. Then each observed transfer makes the transfer's deposit due, with the amount and sender of the
   * solid block: a new deposit when all earlier ones are gone, or when the pending one is at another address, which
   * becomes gone. Solid blocks therefore override the head, and a later write never changes what they have decided.
   *
   * @returns the observed transfers that contradict earlier solid blocks: the transfer was gone (it has a new deposit
   *   then), or confirmed at another address (it gets none)
   */
  advance(
    claim: ScanClaim,
    write: ScanAdvance,
  ): Promise<{ type: 'committed'; contradicted: readonly TransferRef[] } | { type: 'stale' }>
  /** Rewinds the head's scan to a scanned block, or to the solid scan's position. */
  rewind(claim: ScanClaim, from: BlockRef, to: BlockRef): Promise<'committed' | 'stale'>
}

/** A lease on a deposit that solid blocks have decided. Every claim has a higher fencing token. */
export type DepositClaim = { readonly tenantId: string; readonly depositId: string; readonly fencingToken: number }

/** A claimed deposit with what its settlement needs. */
export type ClaimedDeposit = {
  readonly claim: DepositClaim
  readonly deposit: UndecidedDeposit
  readonly sender: ChainAccount
  /** The solid block that confirms it; `gone` when solid blocks prove that it will never happen. */
  readonly solid: { readonly type: 'confirmed'; readonly block: number } | { readonly type: 'gone' }
  /** The current row of the address it was sent to. */
  readonly topUp: TopUpAddress
  readonly tenantStatus: 'active' | 'suspended'
  /** How often it was claimed, including this claim. */
  readonly claimCount: number
}

/** The claims of an undecided deposit, why the last one has not decided it (null before that), and when it is due. */
export type DepositAttempts = { readonly claimCount: number; readonly problem: string | null; readonly nextAt: Date }

/** The approved proposal that a resolution executes; the audit log records actor and reason. */
export type ReviewAuthor = {
  readonly proposalId: string
  /** The operator who proposed it. */
  readonly actor: string
  readonly reason: string
}

/**
 * One durable write of state, transfer and event, guarded on the expected state. A settlement whose instant
 * is before the newest entry of the tenant's log gets the instant of that entry, and so do its event and its
 * audit entry. The result of a credit or a closure says so (`Redated`).
 */
export type DepositCommit =
  /**
   * Settles an undecided deposit, if the claim's fencing token is still the newest. One in review for
   * `ADDRESS_NOT_VERIFIED` or `SENDER_NOT_SCREENED` stays due. A step that closes its review is of less than `dustMax`, for `dustReason`.
   */
  | {
      readonly kind: 'settle'
      readonly step: DepositStep<CreditedDeposit | DepositInReview, NewEvent>
      readonly claim: DepositClaim
      /** Which answer of screening it rests on; absent when nobody was screened. */
      readonly screenedBy?: string
      /** Limits a credit that only one provider has confirmed; absent when two have. */
      readonly unverifiedLimits?: UnverifiedLimits
    }
  /**
   * Credits a deposit in review that is not closed, with the audit entry `auditCredit`. Executes the proposal,
   * an approved `credit_deposit` of this deposit and amount, with this proposer and reason.
   */
  | {
      readonly kind: 'credit'
      readonly step: DepositStep<CreditedDeposit, NewEvent>
      readonly proposalId: string
      readonly actor: string
      readonly reason: string
    }
  /**
   * Closes a deposit in review that is not closed, with the audit entry `auditClose`. Executes a `close_deposit`; with
   * `returned` a `return_deposit` of a confirmed transfer.
   */
  | {
      readonly kind: 'close'
      readonly step: DepositStep<ClosedReview, NewEvent>
      readonly returned?: DepositReturn
      readonly proposalId: string
      readonly actor: string
      readonly reason: string
    }

/**
 * Closes deposits in review of one tenant, all or none, each with its event and the audit entry `auditClose`. Executes
 * an approved `close_deposits` of exactly these deposits, in this order.
 */
export type ReviewClosures = ReviewAuthor & {
  readonly tenantId: string
  readonly steps: readonly DepositStep<ClosedReview, NewEvent>[]
}

/** Stores deposits. Every method throws `Unavailable` when the database cannot be read or written. */
export type DepositStore = {
  get(tenantId: string, id: string): Promise<Deposit | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(tenantId: string, query: DepositQuery): Promise<Page<Deposit>>
  /** For operators: of any tenant. */
  find(id: string): Promise<Deposit | undefined>
  /**
   * For operators: of all tenants. A page that is filtered by `reviewCode` or `address` reads a bounded number of
   * rows: it may have fewer items than its limit, and still a next page.
   */
  listAll(query: AllDepositsQuery): Promise<Page<Deposit>>
  /** Claims deposits that solid blocks have decided and that are due and not leased; oldest first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedDeposit[]>
  /**
   * Ends the lease; the deposit is due again in `dueInSeconds`. False when the claim is not the newest.
   *
   * @param problem  why it could not be decided
   */
  yieldClaim(claim: DepositClaim, dueInSeconds: number, problem: string): Promise<boolean>
  /** For operators: `screenedBy` of the settlement; null when there is none. */
  screening(id: string): Promise<string | null>
  /**
   * Makes a review for `SENDER_NOT_SCREENED` due at once, with the audit entry `deposit.screen`. `stale`, and nothing
   * written, when it is none.
   */
  screenAgain(deposit: Pick<Deposit, 'id' | 'tenantId'>, by: Acting): Promise<'committed' | 'stale' | 'unauthorized'>
  /** For operators: the attempts to decide the deposit; undefined when there is nothing to decide. */
  attempts(id: string): Promise<DepositAttempts | undefined>
  /**
   * Answers `committed` or `Redated` after the write is durable. Otherwise nothing was written: `stale` when
   * the deposit's state is another one; `above_unverified_limit` when this credit, together with all other
   * credits of the last 24 hours (by the store's clock) that only one provider has confirmed, exceeds a limit,
   * concurrent commits included; `not_approved` when there is no such approved proposal;
   * `transaction_used` when its transaction has sent another deposit back.
   */
  commit(write: DepositCommit): Promise<DepositCommitResult>
  /**
   * Answers `committed` after the write is durable; instants are redated as those of `commit`. Otherwise nothing was
   * written: `stale` when a deposit is not an open review of the tenant, or is given twice; `not_approved` when there
   * is no such approved proposal.
   */
  closeReviews(write: ReviewClosures): Promise<'committed' | 'stale' | 'not_approved'>
}

/** The outcome of a commit, as `DepositStore.commit` describes. */
export type DepositCommitResult =
  | 'committed'
  | Redated
  | 'stale'
  | 'above_unverified_limit'
  | 'not_approved'
  | 'transaction_used'

/** Limits of the credits in 24 hours that only one provider has confirmed. */
export type UnverifiedLimits = {
  readonly perTenant: Usdt
  /** The limit of all tenants together. */
  readonly inAll: Usdt
}

/** When a deposit is credited without an operator. */
export type DepositRules = {
  readonly minimum: Usdt
  /** Below it a review is closed by the commit that would open it; at most `minimum`. */
  readonly dust: Usdt
  /** Above it an operator decides. */
  readonly autoLimit: Usdt
  /** From this amount on a second provider must confirm, if there is one. */
  readonly verifyFrom: Usdt
  /** Above them a second provider must confirm too, or an operator decides. */
  readonly unverifiedLimits: UnverifiedLimits
}
