import {
  type IssueRefusal,
  needsTwoToIssue,
  type NewOperatorToken,
  type OperatorRole,
  operatorTokenIssued,
  operatorTokenRevoked,
  type OperatorTokenStore,
} from '@quipu/core/operator'
import type { Database } from '../database.ts'
import { putProposal } from '../proposal/put-proposal.ts'
import { actingToken, requirePerson } from './acting-token.ts'
import { putTokens } from './put-token.ts'
import { writeAudit } from '../tenant/audit-log.ts'

export const memoryOperatorTokenStore = (database: Database): OperatorTokenStore => ({
  authenticate: async (tokenHash, at) => actingToken(database, tokenHash, anyRole, at),
  find: async (id) => database.operatorTokens.get(id)?.token,
  list: async (query) =>
    database.operatorTokenOrder.page(query, (id) => database.operatorTokens.get(id)?.token),
  issue: async (issued, tokenHash) => {
    const { token } = issued
    const refusal = issueRefusal(database, issued, tokenHash)
    if (refusal) return refusal
    if (needsTwoToIssue(token.role))
      throw new Error(`a token of the role ${token.role} needs a proposal`)
    putTokens(database, [issued])
    writeAudit(
      database,
      operatorTokenIssued(token, { actor: token.createdBy, at: token.createdAt }, null),
    )
    return 'committed'
  },
  propose: async (proposed, proposal, tokenHash) => {
    const refusal = issueRefusal(database, proposed, tokenHash)
    if (refusal) return refusal
    const { role } = proposed.token
    if (!needsTwoToIssue(role)) throw new Error(`a token of the role ${role} needs no proposal`)
    putTokens(database, [proposed])
    putProposal(database, proposal)
    return 'committed'
  },
  revoke: async (id, tokenHash, at) => {
    const acting = actingToken(database, tokenHash, anyRole, at)
    if (!acting) return 'unauthorized'
    if (acting.id !== id && acting.role !== 'admin')
      throw new Error(`only an admin revokes the token ${id}`)
    const stored = database.operatorTokens.get(id)
    if (!stored || stored.token.revocation) return 'stale'
    const revocation = { at, by: acting.person }
    database.operatorTokens.set(id, { ...stored, token: { ...stored.token, revocation } })
    writeAudit(database, operatorTokenRevoked(stored.token, { actor: acting.person, at }))
    return 'committed'
  },
})

const anyRole: readonly OperatorRole[] = ['viewer', 'operator', 'admin', 'auditor']

/** Activates the token of an approved proposal. */
export function activateToken(
  database: Database,
  id: string,
  author: { readonly actor: string; readonly at: Date },
  proposalId: string,
): void {
  const stored = database.operatorTokens.get(id)
  if (!stored) throw new Error(`no operator token ${id}`)
  const token = { ...stored.token, activatedAt: author.at }
  database.operatorTokens.set(id, { ...stored, token })
  writeAudit(database, operatorTokenIssued(token, author, proposalId))
}

function issueRefusal(
  database: Database,
  { token, hash }: NewOperatorToken,
  tokenHash: string,
): IssueRefusal | null {
  const acting = actingToken(database, tokenHash, ['admin'], token.createdAt)
  if (!acting) return 'unauthorized'
  requirePerson(acting, token.createdBy)
  const isUsed = [...database.operatorTokens.values()].some((each) => each.hash === hash)
  return isUsed ? 'hash_used' : null
}
