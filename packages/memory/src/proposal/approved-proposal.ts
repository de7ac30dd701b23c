import {
  type ApprovedProposal,
  type AuditOrigin,
  executeProposal,
  storedAction,
  type StoredAction,
} from '@quipu/core/operator'
import type { Database, ProposalTokens } from '../table/database.ts'

/** With which tokens the proposal was proposed and approved. */
export function proposalTokensOf(database: Database, proposalId: string): ProposalTokens {
  const tokens = database.proposalTokens.get(proposalId)
  if (!tokens) throw new Error(`no proposal ${proposalId}`)
  return tokens
}

/** Who proposed, as the audit entry of the executed action names the person. */
export const proposingOrigin = (database: Database, proposalId: string): AuditOrigin =>
  proposalTokensOf(database, proposalId).proposedWith

/** The action that a write of money claims to execute. */
export type ClaimedAction = StoredAction & {
  readonly proposalId: string
  readonly tenantId: string
  readonly actor: string
  readonly reason: string
}

/** The approved proposal of exactly this action; undefined when there is none. */
export function approvedProposal(database: Database, claimed: ClaimedAction): ApprovedProposal | undefined {
  const proposal = database.proposals.get(claimed.proposalId)
  if (proposal?.status !== 'approved') return undefined
  const isSame =
    proposal.tenantId === claimed.tenantId &&
    proposal.proposedBy === claimed.actor &&
    proposal.reason === claimed.reason &&
    JSON.stringify(storedAction(proposal.action)) ===
      JSON.stringify({ type: claimed.type, subject: claimed.subject, details: claimed.details })
  return isSame ? proposal : undefined
}

/** Ends an approved proposal with the instant of its action. */
export function markExecuted(database: Database, proposal: ApprovedProposal, at: Date): void {
  database.proposals.set(proposal.id, executeProposal(proposal, at))
}
