import {
  type ApprovedProposal,
  approverOf,
  auditProposalStep,
  executeProposal,
  type FailedProposal,
  hasRole,
  type OperatorRole,
  type ProposalAction,
  proposalStatusAt,
  type ProposalStore,
  storedAction,
  type StoredAction,
  type WithdrawnProposal,
} from '@quipu/core/operator'
import { type Database, tenantDataOf } from '../database.ts'
import { actingToken, requirePerson } from '../operator-token/acting-token.ts'
import { activateToken } from '../operator-token/operator-token-store.ts'
import { activateKey } from '../tenant/api-key-store.ts'
import { writeAudit } from '../tenant/audit-log.ts'
import { rememberRequest } from '../tenant/operator-requests.ts'
import { changeLimits } from '../tenant/tenant-store.ts'
import { putProposal } from './put-proposal.ts'

export const memoryProposalStore = (database: Database): ProposalStore => ({
  insert: async (proposal, tokenHash, request) => {
    const roles = proposal.action.type === 'change_limits' ? admins : writers
    const acting = actingToken(database, tokenHash, roles, proposal.createdAt)
    if (!acting) return 'unauthorized'
    requirePerson(acting, proposal.proposedBy)
    if (isIssue(proposal.action)) throw new Error('`propose` of its own store inserts it')
    if (proposal.tenantId !== null) tenantDataOf(database, proposal.tenantId)
    if (database.proposals.has(proposal.id)) throw new Error(`proposal ${proposal.id} exists`)
    const used = rememberRequest(database, proposal.proposedBy, request, proposal.id)
    if (used !== undefined) return used
    putProposal(database, proposal)
    return 'committed'
  },
  find: async (id) => database.proposals.get(id),
  list: async ({ status, now, tenantId, action, subject, ...query }) =>
    database.proposalOrder.page(query, (id) => {
      const proposal = database.proposals.get(id)
      const isWanted =
        proposal !== undefined &&
        (status === undefined || proposalStatusAt(proposal, now) === status) &&
        (tenantId === undefined || proposal.tenantId === tenantId) &&
        (action === undefined || proposal.action.type === action) &&
        (subject === undefined || storedAction(proposal.action).subject === subject)
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
    if (proposal.status === 'approved') executeApproved(database, proposal)
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

const admins: readonly OperatorRole[] = ['admin']
const writers: readonly OperatorRole[] = ['operator', 'admin']

const isIssue = ({ type }: ProposalAction): boolean =>
  type === 'issue_operator_token' || type === 'issue_api_key'

const rolesFor = ({ status, action }: ApprovedProposal | WithdrawnProposal) =>
  status === 'approved' ? writers.filter((role) => hasRole(role, approverOf(action))) : writers

const actorOf = (proposal: ApprovedProposal | WithdrawnProposal): string | null =>
  proposal.status === 'approved' ? proposal.approval.by : proposal.withdrawal.by

/** Executes the actions that the approval itself executes. */
function executeApproved(database: Database, proposal: ApprovedProposal): void {
  const { id, action, proposedBy: actor, approval } = proposal
  const author = { actor, at: approval.at }
  if (action.type === 'issue_operator_token') activateToken(database, action.tokenId, author, id)
  else if (action.type === 'issue_api_key') activateKey(database, action.keyId, author, id)
  else if (action.type === 'change_limits') changeLimits(database, action, author, id)
  else return
  markExecuted(database, proposal, approval.at)
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
