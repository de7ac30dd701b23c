import { toDecimal } from '../money.ts'
import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import type { ClosedReview, DepositInReview, DepositReturn } from './deposit.ts'
import type { ReviewAuthor } from './ports.ts'

/** The audit entry of the credit of a deposit in review. */
export const auditCredit = (
  review: DepositInReview,
  { proposalId, reason }: ReviewAuthor,
  at: Date,
  origin: AuditOrigin,
): AuditEntry => ({
  ...about(review),
  ...origin,
  action: 'deposit.credit',
  at,
  after: { status: 'credited', amount: toDecimal(review.amount), credited_reason: reason, proposal_id: proposalId },
})

/** The audit entry of the closure of a deposit in review. */
export const auditClose = (
  { closed, ...review }: ClosedReview,
  { proposalId, reason, returned }: ReviewAuthor & { readonly returned?: DepositReturn },
  origin: AuditOrigin,
): AuditEntry => ({
  ...about(review),
  ...origin,
  action: returned ? 'deposit.return' : 'deposit.close',
  at: closed.at,
  after: {
    status: 'in_review',
    closed_reason: reason,
    proposal_id: proposalId,
    ...(returned && { to_address: returned.toAddress, tx_hash: returned.txHash }),
  },
})

const about = ({ id, tenantId, reviewCode }: Omit<DepositInReview, 'closed'>) => ({
  tenantId,
  subject: id,
  before: { status: 'in_review', review_code: reviewCode },
})
