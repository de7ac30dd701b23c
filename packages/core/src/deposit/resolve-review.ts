import { MAX_MINOR } from '../money.ts'
import type {
  ClosedReview,
  ReviewClosure,
  DepositInReview,
  DepositStep,
  ReviewCode,
} from './deposit.ts'

/** A deposit in review that nobody has closed. */
export type OpenReview = DepositInReview & { readonly closed: null }

/** One that a person may credit: its transfer is on the chain and fits into the ledger. */
export type CreditableReview = OpenReview & {
  readonly reviewCode: Exclude<ReviewCode, 'TRANSFER_DROPPED'>
}

export const isOpenReview = (deposit: DepositInReview): deposit is OpenReview =>
  deposit.closed === null

export const isCreditableReview = (deposit: OpenReview): deposit is CreditableReview =>
  deposit.reviewCode !== 'TRANSFER_DROPPED' && deposit.amount.minor <= MAX_MINOR

/** An operator decides not to credit it. It stays in review, with when and why; no event follows. */
export const closeReview = (
  deposit: OpenReview,
  closed: ReviewClosure,
): DepositStep<ClosedReview, null> => ({
  deposit: { ...deposit, closed },
  transfer: null,
  event: null,
})
