import type { AuditAction, AuditEntry, AuditOrigin } from '../audit/ports.ts'
import { storedAction } from './action.ts'
import type { ApprovedProposal, DecidedProposal, FailedProposal, OpenProposal, ProposalDraft } from './proposal.ts'

/** The audit entry that is written with a new proposal. */
export function auditProposal(proposal: OpenProposal | ApprovedProposal, origin: AuditOrigin): AuditEntry {
  const { type, subject, details } = storedAction(proposal.action)
  return {
    ...about(proposal),
    ...origin,
    action: 'proposal.open',
    at: proposal.createdAt,
    before: null,
    after: {
      status: proposal.status,
      action: type,
      subject,
      ...details,
      reason: proposal.reason,
      ...(proposal.evidence && { evidence_digest: proposal.evidence.digest }),
    },
  }
}

/**
 * The audit entry that is written with a later step. The origin of a failure is that of the proposer, whose action no
 * longer fits. The entry of the execution is the action's own, which names the proposal.
 */
export function auditProposalStep(proposal: DecidedProposal | FailedProposal, origin: AuditOrigin): AuditEntry {
  const entry = (action: AuditAction, at: Date, before: string): AuditEntry => ({
    ...about(proposal),
    ...origin,
    action,
    at,
    before: { status: before },
    after: {
      status: proposal.status,
      ...(proposal.status === 'failed' && { failure: proposal.failure.code }),
      ...(proposal.status === 'rejected' && { reason: proposal.rejection.reason }),
    },
  })
  switch (proposal.status) {
    case 'approved':
      return entry('proposal.approve', proposal.approval.at, 'open')
    case 'withdrawn':
      return entry('proposal.withdraw', proposal.withdrawal.at, 'open')
    case 'rejected':
      return entry('proposal.reject', proposal.rejection.at, 'open')
    case 'failed':
      return entry('proposal.fail', proposal.failure.at, 'approved')
  }
}

const about = ({ id, tenantId }: ProposalDraft) => ({ tenantId, subject: id })
