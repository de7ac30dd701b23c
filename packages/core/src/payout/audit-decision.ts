import type { AuditEntry } from '../tenant/ports.ts'
import type { OperatorCall } from './decision-ports.ts'
import type { PayoutStatus } from './payout.ts'

/** The audit entry of an operator's question to the network. The answer is in the record of calls. */
export const auditOperatorCall = (
  { tenantId, payoutId, question, actor, at }: OperatorCall,
  status: PayoutStatus,
): AuditEntry => ({
  ...{ tenantId, actor, at },
  action: question === 'status' ? 'payout.ask' : 'payout.cancel',
  subject: payoutId,
  before: { status },
  after: null,
})
