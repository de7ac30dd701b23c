import { type ApprovedProposal, auditProposal, type OpenProposal } from '@quipu/core/operator'
import { type Database, positionOf } from '../database.ts'
import { writeAudit } from '../tenant/audit-log.ts'

/** Inserts a new proposal. */
export function putProposal(database: Database, proposal: OpenProposal | ApprovedProposal): void {
  database.proposals.set(proposal.id, proposal)
  database.proposalOrder.add(positionOf(proposal))
  writeAudit(database, auditProposal(proposal))
}
