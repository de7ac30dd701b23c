import { type ApprovedProposal, type AuditAuthor, auditProposal, type OpenProposal } from '@quipu/core/operator'
import { type Database, positionOf } from '../table/database.ts'
import { writeAudit } from '../audit/audit-log.ts'

/** Inserts a new proposal. */
export function putProposal(
  database: Database,
  proposal: OpenProposal | ApprovedProposal,
  { actor, tokenId, address, session }: AuditAuthor,
): void {
  const proposedWith = { actor, tokenId, address, session }
  database.proposalTokens.set(proposal.id, { proposedWith, approvedWith: null })
  database.proposals.set(proposal.id, { ...proposal, proposedBy: actor ?? '' })
  database.proposalOrder.add(positionOf(proposal))
  writeAudit(database, auditProposal(proposal, proposedWith))
}
