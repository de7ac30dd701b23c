import type { Transfer } from '../ledger/ledger.ts'
import type { Usdt } from '../money.ts'
import type { Chain } from './chain.ts'

/** A transfer on a chain, by the one name that it has. */
export type TransferRef = {
  readonly chain: Chain
  readonly txHash: string
  /** Its place among the logs of its transaction, from 0. */
  readonly transferIndex: number
}

type Seen = TransferRef & {
  readonly id: string
  readonly tenantId: string
  /** The tenant's top-up address. */
  readonly address: string
  readonly fromAddress: string
  /** May exceed what the ledger can carry; it is never credited then. */
  readonly amount: Usdt
  readonly createdAt: Date
}

/** Why a deposit cannot be credited without a person, in order of precedence. @source assumed */
export const reviewCodes = [
  'TRANSFER_DROPPED',
  'TENANT_NOT_ACTIVE',
  'ADDRESS_RETIRED',
  'SENDER_BLOCKED',
  'SENDER_IS_SERVICE',
  'TOKEN_STATE_CHANGED',
  'SOURCES_DISAGREE',
  'AMOUNT_BELOW_MINIMUM',
  'AMOUNT_ABOVE_AUTO_LIMIT',
] as const
export type ReviewCode = (typeof reviewCodes)[number]

/** An operator's decision not to credit. */
export type ReviewClosure = { readonly at: Date; readonly actor: string; readonly reason: string }

export type PendingDeposit = Seen & { readonly status: 'pending' }
export type CreditedDeposit = Seen & { readonly status: 'credited'; readonly creditedAt: Date }
export type DepositInReview = Seen & {
  readonly status: 'in_review'
  readonly reviewCode: ReviewCode
  /** Set when an operator closed it: it stays in review, and the tenant sees when and why. */
  readonly closed: ReviewClosure | null
}
/** A review that an operator resolved by not crediting it. */
export type ClosedReview = DepositInReview & { readonly closed: ReviewClosure }
export type Deposit = PendingDeposit | CreditedDeposit | DepositInReview
export type DepositStatus = Deposit['status']

/** @source spec §6 */
export const depositEventTypes = [
  'deposit.pending',
  'deposit.credited',
  'deposit.in_review',
] as const
export type DepositEventType = (typeof depositEventTypes)[number]

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
