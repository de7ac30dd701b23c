import type { StateRefusal } from '../deposit/review-deposits.ts'
import type { Usdt } from '../money.ts'
import { hasRole, type Operator } from '../access/operator.ts'
import { approverOf, isWithinLimit } from './action.ts'
import type {
  ApprovedProposal,
  ExecutedProposal,
  FailedProposal,
  OpenProposal,
  Proposal,
  ProposalDraft,
  ProposalFailure,
  RejectedProposal,
  WithdrawnProposal,
} from './proposal.ts'

/** Why a proposal does not change. */
export type StepRefusal =
  /** The proposer cannot approve or reject the proposal. */
  | 'own_proposal'
  /** Only the proposer or an admin can withdraw it. */
  | 'not_proposer'
  | 'expired'
  /** It was approved, executed, withdrawn, rejected, or it failed. */
  | 'not_open'

/** Why nothing was written. */
export type ProposalRefusal =
  | StepRefusal
  | StateRefusal
  /** The case of screening has this decision, or is no listed subject. */
  | 'already_decided'
  /** The payout is not in `processing`. */
  | 'already_ended'
  /** No worker or operator has queried the network about the payout: its request may still be paying. */
  | 'not_queried'
  /** The network answered another payment, and the proposer does not say so. */
  | 'contradicts_network'
  /** The payout is not completed, or its price is less than the refund. */
  | 'not_refundable'
  /** The payout has a refund, or an open proposal of one. */
  | 'already_refunded'
  /** It is open, withdrawn, rejected or expired: nothing can be executed. */
  | 'not_approved'
  /** Only an admin approves this action. */
  | 'needs_admin'
  /** Another request of the operator had the same key. */
  | 'key_reused'

/** A new proposal: open, or approved at once when one person may decide the action alone. */
export const openProposal = (draft: ProposalDraft, approvalLimit: Usdt): OpenProposal | ApprovedProposal =>
  isWithinLimit(draft.action, approvalLimit)
    ? { ...draft, status: 'approved', approval: { at: draft.createdAt, by: null } }
    : { ...draft, status: 'open' }

/** Approves an open proposal. Never by its proposer, and not after it expired. */
export function approveProposal(proposal: Proposal, by: string, at: Date): ApprovedProposal | StepRefusal {
  if (by === proposal.proposedBy) return 'own_proposal'
  if (proposal.status !== 'open') return 'not_open'
  if (at >= proposal.expiresAt) return 'expired'
  return { ...proposal, status: 'approved', approval: { at, by } }
}

/** Approves it if the operator's role may. */
export const approvedBy = (
  { person, role }: Operator,
  proposal: Proposal,
  at: Date,
): ApprovedProposal | StepRefusal | 'needs_admin' =>
  hasRole(role, approverOf(proposal.action)) ? approveProposal(proposal, person, at) : 'needs_admin'

/** Rejects an open proposal, by a person whose role may approve it. Never by its proposer, who withdraws it. */
export function rejectProposal(
  proposal: Proposal,
  { person, role }: Pick<Operator, 'person' | 'role'>,
  reason: string,
  at: Date,
): RejectedProposal | StepRefusal | 'needs_admin' {
  if (!hasRole(role, approverOf(proposal.action))) return 'needs_admin'
  const approved = approveProposal(proposal, person, at)
  if (typeof approved === 'string') return approved
  const { approval: _, ...draft } = approved
  return { ...draft, status: 'rejected', rejection: { at, by: person, reason } }
}

/** Withdraws an open proposal, by its proposer or an admin. */
export function withdrawProposal(
  proposal: Proposal,
  { by, isAdmin }: { readonly by: string; readonly isAdmin: boolean },
  at: Date,
): WithdrawnProposal | StepRefusal {
  if (by !== proposal.proposedBy && !isAdmin) return 'not_proposer'
  if (proposal.status !== 'open') return 'not_open'
  if (at >= proposal.expiresAt) return 'expired'
  return { ...proposal, status: 'withdrawn', withdrawal: { at, by } }
}

/** The approved proposal after its action was committed. */
export const executeProposal = (proposal: ApprovedProposal, executedAt: Date): ExecutedProposal => ({
  ...proposal,
  status: 'executed',
  executedAt,
})

/** The approved proposal whose action no longer fits. */
export const failProposal = (proposal: ApprovedProposal, code: ProposalFailure, at: Date): FailedProposal => ({
  ...proposal,
  status: 'failed',
  failure: { at, code },
})
