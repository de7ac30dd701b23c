import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import type { Difference, DifferenceClosure } from './difference.ts'

/** The audit entry that is written when an operator closes a difference. */
export const auditDifference = (
  { id, tenantId, check, kind, subject }: Difference,
  { at, reason, proposalId }: DifferenceClosure,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  action: 'difference.close',
  tenantId,
  subject: id,
  at,
  before: { status: 'open' },
  after: { status: 'closed', check, kind, subject, reason, ...(proposalId !== null && { proposal_id: proposalId }) },
})
