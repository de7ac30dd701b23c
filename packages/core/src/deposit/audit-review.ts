import { toDecimal } from '../money.ts'
import type { AuditEntry } from '../tenant/ports.ts'
import type { ClosedReview, DepositInReview } from './deposit.ts'
import type { ReviewAuthor } from './ports.ts'

/** The audit entry of the credit of a deposit in review. */
export const auditCredit = (
  review: DepositInReview,
  { proposalId, actor, reason }: ReviewAuthor,
  at: Date,
): AuditEntry => ({
  ...about(review),
  actor,
  action: 'deposit.credit',
  at,
  after: {
    status: 'credited',
    amount: toDecimal(review.amount),
    credited_reason: reason,
    proposal_id: proposalId,
  },
})

/** The audit entry of the closure of a deposit in review. */
export const auditClose = (
  { closed, ...review }: ClosedReview,
  { proposalId, actor, reason }: ReviewAuthor,
): AuditEntry => ({
  ...about(review),
  actor,
  action: 'deposit.close',
  at: closed.at,
  after: { status: 'in_review', closed_reason: reason, proposal_id: proposalId },
})

const about = ({ id, tenantId, reviewCode }: Omit<DepositInReview, 'closed'>) => ({
  tenantId,
  subject: id,
  before: { status: 'in_review', review_code: reviewCode },
})
