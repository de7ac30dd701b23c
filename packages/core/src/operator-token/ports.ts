import type { Page, PageQuery } from '../page.ts'
import type { Credential } from '../access/operator.ts'
import type { OpenProposal } from '../proposal/proposal.ts'
import type { OperatorToken } from './operator-token.ts'

/** A new record, with the hash that authenticates. */
export type NewOperatorToken = { readonly token: OperatorToken; readonly hash: string }

/** Nothing was written: without the active token of an admin, or as another token has the same hash. */
export type IssueRefusal = 'unauthorized' | 'hash_used'

/**
 * Stores operator tokens. No method returns a hash. The methods that write take the presented token, look the person
 * up, and log that person. Every method throws `Unavailable` when the database cannot be read or written.
 */
export type OperatorTokenStore = {
  /** The active token with this hash. A revocation counts at once. */
  authenticate(tokenHash: string, at: Date): Promise<OperatorToken | undefined>
  find(id: string): Promise<OperatorToken | undefined>
  /** The token with this hash, active or not: of one that was found somewhere. */
  findByHash(tokenHash: string): Promise<OperatorToken | undefined>
  /** Newest first. */
  list(query: PageQuery): Promise<Page<OperatorToken>>
  /**
   * Inserts an active token, with the audit entry `operatorTokenIssued`.
   *
   * @throws Error when it needs two people (`needsTwoToIssue`)
   */
  issue(issued: NewOperatorToken, by: Credential): Promise<'committed' | IssueRefusal>
  /**
   * Inserts a token that is not active, and the proposal to activate it, with the audit entry `auditProposal`.
   * `ProposalStore.commit` of the approval activates it, with the audit entry `operatorTokenIssued`.
   *
   * @throws Error when it does not need two people
   */
  propose(proposed: NewOperatorToken, proposal: OpenProposal, by: Credential): Promise<'committed' | IssueRefusal>
  /**
   * Revokes a token for good, with the audit entry `operatorTokenRevoked`. Proposals that it made and that are open are
   * withdrawn; those that it made or approved and that are not executed have failed (`TOKEN_REVOKED`), each with its
   * audit entry. `stale`: it was revoked before, or there is none. `last_admin`: no other active token of an admin
   * would be left.
   *
   * @throws Error when the presented token is neither an admin's nor this one
   */
  revoke(id: string, by: Credential, at: Date): Promise<'committed' | 'stale' | 'unauthorized' | 'last_admin'>
}
