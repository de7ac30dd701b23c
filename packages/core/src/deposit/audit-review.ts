import { toDecimal } from '../money.ts'
import type { AuditEntry } from '../tenant/ports.ts'
import type { ClosedReview, DepositInReview } from './deposit.ts'

/** The audit entry of an operator's credit of a deposit in review. */
export const auditCredit = (
  review: DepositInReview,
  { actor, reason }: { readonly actor: string; readonly reason: string },
  at: Date,
): AuditEntry => ({
  ...about(review),
  actor,
  action: 'deposit.credit',
  at,
  after: { status: 'credited', amount: toDecimal(review.amount), credited_reason: reason },
})

/** The audit entry of the closure of a deposit in review. */
export const auditClose = ({ closed, ...review }: ClosedReview): AuditEntry => ({
  ...about(review),
  actor: closed.actor,
  action: 'deposit.close',
  at: closed.at,
  after: { status: 'in_review', closed_reason: closed.reason },
})

const about = ({ id, tenantId, reviewCode }: Omit<DepositInReview, 'closed'>) => ({
  tenantId,
  subject: id,
  before: { status: 'in_review', review_code: reviewCode },
})
