import { markExecuted, proposingOrigin, proposalTokensOf } from '../proposal/approved-proposal.ts'
import {
  type ActionOf,
  type ApprovedProposal,
  type AuditAuthor,
  approverOf,
  type AuditOrigin,
  auditProposalStep,
  type DecidedProposal,
  type ExecutedAtApproval,
  type FailedProposal,
  failProposal,
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
import { changeTerms, resumeTenant } from '../tenant/tenant-store.ts'
import { startPayouts } from '../restore/restore-store.ts'
import { decideCase } from '../screening/screening-store.ts'
import { putProposal } from '../proposal/put-proposal.ts'

export const memoryProposalStore = (database: Database): ProposalStore => ({
  insert: async (proposal, by, request) => {
    const roles = proposesAsAdmin.includes(proposal.action.type) ? admins : writers
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

const proposesAsAdmin: readonly ProposalAction['type'][] = ['change_limits', 'change_pricing']
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
  if (!isExecutedHere(action)) return
  const author = { ...proposingOrigin(database, id), at: approval.at }
  if (execute(database, action, author, proposal)) markExecuted(database, proposal, approval.at)
  else write(database, failProposal(proposal, 'NOT_RESUMABLE', approval.at), proposingOrigin(database, id))
}

const isExecutedHere = (action: ProposalAction): action is ExecutedAtApproval => action.type in executors

const executors: {
  readonly [T in ExecutedAtApproval['type']]: (
    database: Database,
    action: ActionOf<T>,
    author: AuditAuthor,
    proposalId: string,
    proposal: ApprovedProposal,
  ) => boolean
} = {
  issue_operator_token: (database, { tokenId }, author, id) => activateToken(database, tokenId, author, id) !== null,
  issue_api_key: (database, { keyId }, author, id) => activateKey(database, keyId, author, id) !== null,
  change_limits: changeTerms,
  change_pricing: changeTerms,
  resume_tenant: resumeTenant,
  start_payouts: startPayouts,
  decide_screening: (database, action, _author, _id, proposal) => {
    decideCase(database, action, proposal)
    return true
  },
}

/** False when it no longer fits. */
const execute = (
  database: Database,
  action: ExecutedAtApproval,
  author: AuditAuthor,
  proposal: ApprovedProposal,
): boolean =>
  (executors[action.type] as (typeof executors)['decide_screening'])(
    database,
    action as never,
    author,
    proposal.id,
    proposal,
  )

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
