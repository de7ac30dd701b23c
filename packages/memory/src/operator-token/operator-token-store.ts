import {
  type AuditAuthor,
  auditProposalStep,
  type Credential,
  failProposal,
  identityProvider,
  type IssueRefusal,
  isTokenActive,
  needsTwoToIssue,
  type NewOperatorToken,
  operatorTokenIssued,
  operatorTokenRevoked,
  type OperatorTokenStore,
  proposalStatusAt,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { putProposal } from '../proposal/put-proposal.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { type ActingToken, actingToken } from '../access/acting-token.ts'
import { putTokens } from './put-token.ts'

export const memoryOperatorTokenStore = (database: Database): OperatorTokenStore => ({
  authenticate: async (tokenHash, at) => actingToken(database, { tokenHash }, at)?.token,
  find: async (id) => database.operatorTokens.get(id)?.token,
  findByHash: async (tokenHash) =>
    Array.from(database.operatorTokens.values()).find(({ hash }) => hash === tokenHash)?.token,
  list: async (query) => database.operatorTokenOrder.page(query, (id) => database.operatorTokens.get(id)?.token),
  issue: async (issued, by) => {
    const { token } = issued
    const acting = issuerOf(database, issued, by)
    if (typeof acting === 'string') return acting
    if (needsTwoToIssue(token.role)) throw new Error(`a token of the role ${token.role} needs a proposal`)
    putTokens(database, [issued])
    writeAudit(database, operatorTokenIssued(token, acting.author, null))
    return 'committed'
  },
  propose: async (proposed, proposal, by) => {
    const acting = issuerOf(database, proposed, by)
    if (typeof acting === 'string') return acting
    const { role } = proposed.token
    if (!needsTwoToIssue(role)) throw new Error(`a token of the role ${role} needs no proposal`)
    putTokens(database, [proposed])
    putProposal(database, proposal, acting.author)
    return 'committed'
  },
  revoke: async (id, by, at) => revoke(database, id, by, at),
})

function revoke(
  database: Database,
  id: string,
  by: Credential,
  at: Date,
): Awaited<ReturnType<OperatorTokenStore['revoke']>> {
  const acting = actingToken(database, by, at)
  if (!acting) return 'unauthorized'
  if (acting.token.id !== id && acting.token.role !== 'admin') throw new Error(`only an admin revokes the token ${id}`)
  const admins = Array.from(database.operatorTokens.values(), ({ token }) => token).filter(
    (token) => token.role === 'admin' && token.createdBy !== identityProvider && isTokenActive(token, at),
  )
  if (admins.length === 1 && admins[0]?.id === id) return 'last_admin'
  const stored = database.operatorTokens.get(id)
  if (!stored || stored.token.revocation) return 'stale'
  const revocation = { at, by: acting.token.person }
  database.operatorTokens.set(id, { ...stored, token: { ...stored.token, revocation } })
  writeAudit(database, operatorTokenRevoked(stored.token, acting.author))
  endProposals(database, id, acting.author)
  return 'committed'
}

/** Withdraws the open proposals of a revoked token, and fails those that are approved and not executed. */
function endProposals(database: Database, tokenId: string, author: AuditAuthor): void {
  const { at, actor } = author
  for (const proposal of Array.from(database.proposals.values()).toSorted(byId)) {
    const { proposedWith, approvedWith } = database.proposalTokens.get(proposal.id) ?? {}
    const status = proposalStatusAt(proposal, at)
    const isOpen = status === 'open' && proposedWith?.tokenId === tokenId
    const isApproved = proposal.status === 'approved' && [proposedWith?.tokenId, approvedWith].includes(tokenId)
    if (!isOpen && !isApproved) continue
    const ended =
      proposal.status === 'approved'
        ? failProposal(proposal, 'TOKEN_REVOKED', at)
        : ({ ...proposal, status: 'withdrawn', withdrawal: { at, by: actor ?? '' } } as const)
    database.proposals.set(proposal.id, ended)
    writeAudit(database, auditProposalStep(ended, author))
  }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

/** Activates the token of an approved proposal. */
export function activateToken(database: Database, id: string, author: AuditAuthor, proposalId: string): void {
  const stored = database.operatorTokens.get(id)
  if (!stored) throw new Error(`no operator token ${id}`)
  const token = { ...stored.token, activatedAt: author.at }
  database.operatorTokens.set(id, { ...stored, token })
  writeAudit(database, operatorTokenIssued(token, author, proposalId))
}

function issuerOf(database: Database, { token, hash }: NewOperatorToken, by: Credential): ActingToken | IssueRefusal {
  const acting = actingToken(database, by, token.createdAt, ['admin'])
  if (!acting) return 'unauthorized'
  const isUsed = [...database.operatorTokens.values()].some((each) => each.hash === hash)
  return isUsed ? 'hash_used' : acting
}
