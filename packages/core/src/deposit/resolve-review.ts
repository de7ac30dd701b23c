import { MAX_MINOR } from '../money.ts'
import { notBefore } from '../time.ts'
import type { ClosedReview, ReviewClosure, DepositInReview, DepositStep, ReviewCode } from './deposit.ts'

/** A deposit in review that is not closed. */
export type OpenReview = DepositInReview & { readonly closed: null }

/** One that an operator may credit: its transfer is on the chain and its amount fits into the ledger. */
export type CreditableReview = OpenReview & { readonly reviewCode: Exclude<ReviewCode, 'TRANSFER_DROPPED'> }

/** Whether an operator can still resolve the review. */
export const isOpenReview = (deposit: DepositInReview): deposit is OpenReview => deposit.closed === null

/** Whether an operator may credit the deposit. */
export const isCreditableReview = (deposit: OpenReview): deposit is CreditableReview =>
  deposit.reviewCode !== 'TRANSFER_DROPPED' && deposit.amount.minor <= MAX_MINOR

/** Closes a review without a credit: the deposit stays `in_review`, with when and why. */
export const closeReview = (deposit: OpenReview, closed: ReviewClosure): DepositStep<ClosedReview> => ({
  deposit: { ...deposit, closed: { ...closed, at: notBefore(closed.at, deposit.createdAt) } },
  transfer: null,
  event: 'deposit.closed',
})
