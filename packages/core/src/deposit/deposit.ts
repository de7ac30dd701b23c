import type { EventOf, DepositEventType } from '../event/event.ts'
import type { Transfer } from '../ledger/ledger.ts'
import { type Usdt, usdt } from '../money.ts'
import type { Chain } from '../chain/chain.ts'

/** The key of a transfer on a chain. */
export type TransferRef = {
  readonly chain: Chain
  readonly txHash: string
  /** Its index among the logs of its transaction, from 0. */
  readonly transferIndex: number
}

type Observed = TransferRef & {
  readonly id: string
  readonly tenantId: string
  /** The tenant's top-up address. */
  readonly address: string
  readonly fromAddress: string
  /** May exceed `MAX_MINOR`; such a deposit is never credited. */
  readonly amount: Usdt
  readonly createdAt: Date
}

/** Why only an operator can credit a deposit, in order of precedence. */
export const reviewCodes = [
  'TRANSFER_DROPPED',
  'SENDER_LISTED',
  'SENDER_NOT_SCREENED',
  'TENANT_NOT_ACTIVE',
  'ADDRESS_RETIRED',
  'SENDER_BLOCKED',
  'ADDRESS_FROZEN',
  'SENDER_IS_SERVICE',
  'ADDRESS_NOT_VERIFIED',
  'TOKEN_STATE_CHANGED',
  'SOURCES_DISAGREE',
  'AMOUNT_BELOW_MINIMUM',
  'AMOUNT_ABOVE_AUTO_LIMIT',
] as const
/** The sender is on a list, or screening did not answer in time. */
export type ScreeningReviewCode = 'SENDER_LISTED' | 'SENDER_NOT_SCREENED'
/** Why a deposit is in review. */
export type ReviewCode = (typeof reviewCodes)[number]

/** The decision not to credit a deposit. */
export type ReviewClosure = {
  readonly at: Date
  /** The operator; null when the commit that would have opened the review closed it (`dustReason`). */
  readonly actor: string | null
  readonly reason: string
}

/** Where a deposit's tokens went back to, and the transaction that moved them. */
export type DepositReturn = { readonly toAddress: string; readonly txHash: string }

/** The `close_reason` of an amount that is too small for a person's time. */
export const dustReason = 'DUST'

/** The most that is ever dust, whatever the rules: no settlement closes a review of more. Not the minimum of a credit. */
export const dustMax: Usdt = usdt(1_000_000n)

/** Observed on the chain and not yet decided by solid blocks. */
export type PendingDeposit = Observed & { readonly status: 'pending' }
/** Its amount is in the wallet. */
export type CreditedDeposit = Observed & { readonly status: 'credited'; readonly creditedAt: Date }
/** Only an operator can credit it. */
export type DepositInReview = Observed & {
  readonly status: 'in_review'
  readonly reviewCode: ReviewCode
  /** Set when it was closed: it stays `in_review`, and the tenant sees when and why. */
  readonly closed: ReviewClosure | null
}
/** A deposit in review that was closed without a credit. */
export type ClosedReview = DepositInReview & { readonly closed: ReviewClosure }
/** Its address failed its integrity check, or its sender was not screened: decided again until either is done. */
const redecidedCodes = ['ADDRESS_NOT_VERIFIED', 'SENDER_NOT_SCREENED'] as const
/** In review for what ends by itself: a worker decides it again. */
export type RedecidedReview = DepositInReview & {
  readonly reviewCode: (typeof redecidedCodes)[number]
  readonly closed: null
}
/** A deposit that a worker settles. */
export type UndecidedDeposit = PendingDeposit | RedecidedReview
/** A transfer to a top-up address, in one of its states. @source spec §3 Deposit statuses */
export type Deposit = PendingDeposit | CreditedDeposit | DepositInReview
/** The states of a deposit. @source spec §3 Deposit statuses */
export type DepositStatus = Deposit['status']

/** Whether a worker has to decide the deposit, once solid blocks have decided its transfer. */
export const isUndecided = (deposit: Deposit): deposit is UndecidedDeposit =>
  deposit.status === 'pending' ||
  (deposit.status === 'in_review' &&
    deposit.closed === null &&
    (redecidedCodes as readonly string[]).includes(deposit.reviewCode))

/** The code of a review that screening has opened: two people credit it, whatever the amount. Undefined otherwise. */
export const screeningCodeOf = (deposit: Deposit): ScreeningReviewCode | undefined =>
  deposit.status === 'in_review' &&
  (deposit.reviewCode === 'SENDER_LISTED' || deposit.reviewCode === 'SENDER_NOT_SCREENED')
    ? deposit.reviewCode
    : undefined

/** When the deposit was credited or closed; null until then. */
export const depositEndedAt = (deposit: Deposit): Date | null => {
  if (deposit.status === 'credited') return deposit.creditedAt
  return deposit.status === 'in_review' ? (deposit.closed?.at ?? null) : null
}

/** An event about a deposit's new state. */
export type DepositEvent = EventOf<DepositEventType, Deposit>

/**
 * A deposit's new state with the transfer and the event that belong to it: all are committed, or none.
 *
 * A pure step names the event's type; the step of a commit carries the event itself (`NewEvent`).
 */
export type DepositStep<D extends Deposit = Deposit, Event = DepositEventType> = {
  readonly deposit: D
  /** Null unless the deposit is credited. */
  readonly transfer: Transfer | null
  readonly event: Event
}
