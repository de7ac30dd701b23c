import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import { toDecimal } from '../money.ts'
import type { DecidedSettlement, OperatorCall } from './decision-ports.ts'
import type { PayoutStatus } from './payout.ts'

/** The audit entry of an operator's question to the network. The answer is in the record of calls. */
export const auditOperatorCall = (
  { tenantId, payoutId, question, at }: OperatorCall,
  status: PayoutStatus,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  tenantId,
  at,
  action: question === 'status' ? 'payout.query' : 'payout.cancel',
  subject: payoutId,
  before: { status },
  after: null,
})

/** The audit entry of a settlement by evidence. @param at the instant of its entry in the tenant's log */
export const auditSettlement = (
  { step, action, proposalId, reason }: DecidedSettlement,
  at: Date,
  origin: AuditOrigin,
): AuditEntry => ({
  tenantId: step.payout.tenantId,
  ...origin,
  at,
  action: 'payout.settle',
  subject: step.payout.id,
  before: { status: 'processing' },
  after: {
    status: action.outcome,
    proposal_id: proposalId,
    reason,
    ...(action.paid && { paid_bob: toDecimal(action.paid) }),
    ...(action.networkPaymentId !== null && { network_payment_id: action.networkPaymentId }),
  },
})
