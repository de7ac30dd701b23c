import {
  type ApprovedProposal,
  approverOf,
  auditProposal,
  auditProposalStep,
  executeProposal,
  type FailedProposal,
  hasRole,
  type OperatorRole,
  proposalStatusAt,
  type ProposalStore,
  storedAction,
  type StoredAction,
  type WithdrawnProposal,
} from '@quipu/core/operator'
import { type Database, positionOf, tenantDataOf } from '../database.ts'
import {
  actingToken,
  activateToken,
  requirePerson,
} from '../operator-token/operator-token-store.ts'
import { writeAudit } from '../tenant/audit-log.ts'
import { rememberRequest } from '../tenant/operator-requests.ts'

export const memoryProposalStore = (database: Database): ProposalStore => ({
  insert: async (proposal, tokenHash, request) => {
    const acting = actingToken(database, tokenHash, writers, proposal.createdAt)
    if (!acting) return 'unauthorized'
    requirePerson(acting, proposal.proposedBy)
    if (proposal.action.type === 'issue_operator_token')
      throw new Error('OperatorTokenStore.propose inserts it')
    if (proposal.tenantId !== null) tenantDataOf(database, proposal.tenantId)
    if (database.proposals.has(proposal.id)) throw new Error(`proposal ${proposal.id} exists`)
    const used = rememberRequest(database, proposal.proposedBy, request, proposal.id)
    if (used !== undefined) return used
    database.proposals.set(proposal.id, proposal)
    database.proposalOrder.add(positionOf(proposal))
    writeAudit(database, auditProposal(proposal))
    return 'committed'
  },
  find: async (id) => database.proposals.get(id),
  list: async ({ status, now, tenantId, action, ...query }) =>
    database.proposalOrder.page(query, (id) => {
      const proposal = database.proposals.get(id)
      const isWanted =
        proposal !== undefined &&
        (status === undefined || proposalStatusAt(proposal, now) === status) &&
        (tenantId === undefined || proposal.tenantId === tenantId) &&
        (action === undefined || proposal.action.type === action)
      return isWanted ? proposal : undefined
    }),
  commit: async (proposal, tokenHash) => {
    const acting = actingToken(database, tokenHash, rolesFor(proposal), instantOf(proposal))
    if (!acting) return 'unauthorized'
    requirePerson(acting, actorOf(proposal))
    const stored = database.proposals.get(proposal.id)
    if (stored === undefined || proposalStatusAt(stored, instantOf(proposal)) !== 'open')
      return 'stale'
    const isProposer = acting.person === stored.proposedBy
    if (proposal.status === 'withdrawn' && !isProposer && acting.role !== 'admin') return 'stale'
    if (proposal.status === 'approved' && isProposer)
      throw new Error(`the approver of proposal ${proposal.id} is its proposer`)
    write(database, proposal)
    activate(database, proposal)
    return 'committed'
  },
  fail: async (proposal) =>
    database.proposals.get(proposal.id)?.status === 'approved'
      ? write(database, proposal)
      : 'stale',
})

function write(
  database: Database,
  proposal: ApprovedProposal | WithdrawnProposal | FailedProposal,
): 'committed' {
  database.proposals.set(proposal.id, proposal)
  writeAudit(database, auditProposalStep(proposal))
  return 'committed'
}

const writers: readonly OperatorRole[] = ['operator', 'admin']

const rolesFor = ({ status, action }: ApprovedProposal | WithdrawnProposal) =>
  status === 'approved' ? writers.filter((role) => hasRole(role, approverOf(action))) : writers

const actorOf = (proposal: ApprovedProposal | WithdrawnProposal): string | null =>
  proposal.status === 'approved' ? proposal.approval.by : proposal.withdrawal.by

/** Executes the approval of a token. */
function activate(database: Database, proposal: ApprovedProposal | WithdrawnProposal): void {
  const { action, proposedBy: actor } = proposal
  if (proposal.status !== 'approved' || action.type !== 'issue_operator_token') return
  const { at } = proposal.approval
  activateToken(database, action.tokenId, { actor, at }, proposal.id)
  markExecuted(database, proposal, at)
}

const instantOf = (proposal: ApprovedProposal | WithdrawnProposal): Date =>
  proposal.status === 'approved' ? proposal.approval.at : proposal.withdrawal.at

/** What a write of money claims to execute. */
export type ClaimedAction = StoredAction & {
  readonly proposalId: string
  readonly tenantId: string
  readonly actor: string
  readonly reason: string
}

/** The approved proposal of exactly this action; undefined when there is none. */
export function approvedProposal(
  database: Database,
  claimed: ClaimedAction,
): ApprovedProposal | undefined {
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

export function markExecuted(database: Database, proposal: ApprovedProposal, at: Date): void {
  database.proposals.set(proposal.id, executeProposal(proposal, at))
}
