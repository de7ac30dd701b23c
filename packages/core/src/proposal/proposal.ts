import type { OperatorRequest } from '../access/operator-request.ts'
import type { ProposalAction } from './action.ts'

/** The evidence of a proposal: a text, and the SHA-256 of an attachment that is kept elsewhere. */
export type Evidence = {
  readonly note: string
  /** 64 hexadecimal digits, lower case. */
  readonly digest: string
}

/** The action that one operator proposes and another one approves. */
export type ProposalDraft = {
  /** `prp_` and a ULID. */
  readonly id: string
  /** The tenant concerned; null when there is none. */
  readonly tenantId: string | null
  readonly action: ProposalAction
  readonly reason: string
  readonly evidence: Evidence | null
  /** The person who proposed it. */
  readonly proposedBy: string
  readonly createdAt: Date
  /** From this instant on it cannot be approved, rejected or withdrawn. */
  readonly expiresAt: Date
}

/** The reason and the evidence of a proposal; `request` makes the call repeatable. */
export type ProposalNote = Pick<ProposalDraft, 'reason' | 'evidence'> & { readonly request?: OperatorRequest }

/** The approval. `by`, the approving person, is null when one person sufficed: the amount was within the approval limit. */
export type Approval = { readonly at: Date; readonly by: string | null }

/** The codes of `ProposalFailure`. */
export const proposalFailures = [
  'INSUFFICIENT_BALANCE',
  'DIFFERENCE_NOT_OPEN',
  'DEPOSIT_ALREADY_RESOLVED',
  'DEPOSIT_NOT_CREDITABLE',
  'TRANSACTION_ALREADY_RECORDED',
  'PAYOUT_ALREADY_ENDED',
  'CONTRADICTS_NETWORK',
  'PAYOUT_ALREADY_REFUNDED',
  'PAYOUT_NOT_REFUNDABLE',
  'TOKEN_REVOKED',
  'NOT_RESUMABLE',
] as const
/**
 * Why an approved proposal could not be executed. No money moved. `TOKEN_REVOKED`: the token that proposed or approved
 * it was revoked first, as one is that was stolen. `NOT_RESUMABLE`: the suspension or stop that it ends is
 * over, or screening has found the tenant.
 */
export type ProposalFailure = (typeof proposalFailures)[number]

/** Needs a second person. */
export type OpenProposal = ProposalDraft & { readonly status: 'open' }
/** May be executed, once. */
export type ApprovedProposal = ProposalDraft & { readonly status: 'approved'; readonly approval: Approval }
/** Its action was committed together with this state. */
export type ExecutedProposal = ProposalDraft & {
  readonly status: 'executed'
  readonly approval: Approval
  readonly executedAt: Date
}
/** Its action no longer fits. */
export type FailedProposal = ProposalDraft & {
  readonly status: 'failed'
  readonly approval: Approval
  readonly failure: { readonly at: Date; readonly code: ProposalFailure }
}
/** Withdrawn before its approval. */
export type WithdrawnProposal = ProposalDraft & {
  readonly status: 'withdrawn'
  readonly withdrawal: { readonly at: Date; readonly by: string }
}
/** Rejected by a person who could have approved it. */
export type RejectedProposal = ProposalDraft & {
  readonly status: 'rejected'
  readonly rejection: { readonly at: Date; readonly by: string; readonly reason: string }
}

/** An end, or the approval, that a person decides. */
export type DecidedProposal = ApprovedProposal | WithdrawnProposal | RejectedProposal

/** A proposal in one of its stored states. An open one that has expired stays stored as `open`. */
export type Proposal =
  | OpenProposal
  | ApprovedProposal
  | ExecutedProposal
  | FailedProposal
  | WithdrawnProposal
  | RejectedProposal

/** The states of a proposal; `expired` follows from `open` and the clock. */
export const proposalStatuses = ['open', 'approved', 'executed', 'failed', 'withdrawn', 'rejected', 'expired'] as const
/** The state of a proposal at an instant. */
export type ProposalStatus = (typeof proposalStatuses)[number]

/** The proposal's state at this instant. */
export const proposalStatusAt = (proposal: Proposal, now: Date): ProposalStatus =>
  proposal.status === 'open' && now >= proposal.expiresAt ? 'expired' : proposal.status
