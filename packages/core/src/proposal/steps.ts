import type { Usdt } from '../money.ts'
import { isWithinLimit } from './action.ts'
import type {
  ApprovedProposal,
  ExecutedProposal,
  FailedProposal,
  OpenProposal,
  Proposal,
  ProposalDraft,
  ProposalFailure,
  WithdrawnProposal,
} from './proposal.ts'

/** Why a proposal does not change. */
export type StepRefusal =
  /** The proposer cannot approve the proposal. */
  | 'own_proposal'
  /** Only the proposer or an admin can withdraw it. */
  | 'not_proposer'
  | 'expired'
  /** It was approved, executed, withdrawn, or it failed. */
  | 'not_open'

/** A new proposal: open, or approved at once when one person may decide the action alone. */
export const openProposal = (
  draft: ProposalDraft,
  approvalLimit: Usdt,
): OpenProposal | ApprovedProposal =>
  isWithinLimit(draft.action, approvalLimit)
    ? { ...draft, status: 'approved', approval: { at: draft.createdAt, by: null } }
    : { ...draft, status: 'open' }

/** Approves an open proposal. Never by its proposer, and not after it expired. */
export function approveProposal(
  proposal: Proposal,
  by: string,
  at: Date,
): ApprovedProposal | StepRefusal {
  if (by === proposal.proposedBy) return 'own_proposal'
  if (proposal.status !== 'open') return 'not_open'
  if (at >= proposal.expiresAt) return 'expired'
  return { ...proposal, status: 'approved', approval: { at, by } }
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
export const executeProposal = (
  proposal: ApprovedProposal,
  executedAt: Date,
): ExecutedProposal => ({ ...proposal, status: 'executed', executedAt })

/** The approved proposal whose action no longer fits. */
export const failProposal = (
  proposal: ApprovedProposal,
  code: ProposalFailure,
  at: Date,
): FailedProposal => ({ ...proposal, status: 'failed', failure: { at, code } })
