import { markExecuted, proposingOrigin, proposalTokensOf } from '../proposal/approved-proposal.ts'
import {
  type ApprovedProposal,
  approverOf,
  type AuditOrigin,
  auditProposalStep,
  type DecidedProposal,
  type FailedProposal,
  hasRole,
  type OperatorRole,
  type ProposalAction,
  proposalStatusAt,
  type ProposalStore,
  storedAction,
} from '@quipu/core/operator'
import { type Database, tenantDataOf } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { activateToken } from '../operator-token/operator-token-store.ts'
import { activateKey } from '../api-key/api-key-store.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { rememberRequest } from '../access/operator-requests.ts'
import { changeLimits } from '../tenant/tenant-store.ts'
import { decideCase } from '../screening/screening-store.ts'
import { putProposal } from '../proposal/put-proposal.ts'

export const memoryProposalStore = (database: Database): ProposalStore => ({
  insert: async (proposal, by, request) => {
    const roles = proposal.action.type === 'change_limits' ? admins : writers
    const acting = actingToken(database, by, proposal.createdAt, roles)
    if (!acting) return 'unauthorized'
    if (isIssue(proposal.action)) throw new Error('`propose` of its own store inserts it')
    if (proposal.tenantId !== null) tenantDataOf(database, proposal.tenantId)
    if (database.proposals.has(proposal.id)) throw new Error(`proposal ${proposal.id} exists`)
    const used = rememberRequest(database, proposal.proposedBy, request, proposal.id)
    if (used !== undefined) return used
    putProposal(database, proposal, acting.author)
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
  commit: async (proposal, by) => {
    const acting = actingToken(database, by, instantOf(proposal), rolesFor(proposal))
    if (!acting) return 'unauthorized'
    const stored = database.proposals.get(proposal.id)
    if (stored === undefined || proposalStatusAt(stored, instantOf(proposal)) !== 'open') return 'stale'
    const isProposer = acting.token.person === stored.proposedBy
    const isAdmin = acting.token.role === 'admin'
    if (proposal.status === 'withdrawn' && !isProposer && !isAdmin) return 'stale'
    if (proposal.status === 'rejected' && isProposer) return 'stale'
    if (proposal.status === 'approved' && isProposer)
      throw new Error(`the approver of proposal ${proposal.id} is its proposer`)
    write(database, inNameOf(proposal, acting.token.person), acting.author)
    if (proposal.status === 'approved') {
      proposalTokensOf(database, proposal.id).approvedWith = acting.token.id
      executeApproved(database, proposal)
    }
    return 'committed'
  },
  fail: async (proposal) =>
    database.proposals.get(proposal.id)?.status === 'approved'
      ? write(database, proposal, proposingOrigin(database, proposal.id))
      : 'stale',
})

function write(database: Database, proposal: DecidedProposal | FailedProposal, origin: AuditOrigin): 'committed' {
  database.proposals.set(proposal.id, proposal)
  writeAudit(database, auditProposalStep(proposal, origin))
  return 'committed'
}

const admins: readonly OperatorRole[] = ['admin']

const isIssue = ({ type }: ProposalAction): boolean => type === 'issue_operator_token' || type === 'issue_api_key'

const rolesFor = ({ status, action }: DecidedProposal) =>
  status === 'withdrawn' ? writers : writers.filter((role) => hasRole(role, approverOf(action)))

/** The step in the name of the person whose token is presented. */
function inNameOf(proposal: DecidedProposal, by: string): DecidedProposal {
  switch (proposal.status) {
    case 'approved':
      return { ...proposal, approval: { ...proposal.approval, by } }
    case 'rejected':
      return { ...proposal, rejection: { ...proposal.rejection, by } }
    case 'withdrawn':
      return { ...proposal, withdrawal: { ...proposal.withdrawal, by } }
  }
}

/** Executes the actions that the approval itself executes. */
function executeApproved(database: Database, proposal: ApprovedProposal): void {
  const { id, action, approval } = proposal
  const author = { ...proposingOrigin(database, id), at: approval.at }
  if (action.type === 'issue_operator_token') activateToken(database, action.tokenId, author, id)
  else if (action.type === 'issue_api_key') activateKey(database, action.keyId, author, id)
  else if (action.type === 'change_limits') changeLimits(database, action, author, id)
  else if (action.type === 'decide_screening') decideCase(database, action, proposal)
  else return
  markExecuted(database, proposal, approval.at)
}

function instantOf(proposal: DecidedProposal): Date {
  switch (proposal.status) {
    case 'approved':
      return proposal.approval.at
    case 'rejected':
      return proposal.rejection.at
    case 'withdrawn':
      return proposal.withdrawal.at
  }
}
