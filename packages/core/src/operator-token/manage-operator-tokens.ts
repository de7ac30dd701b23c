import type { Clock } from '../time.ts'
import { type Ids } from '../ids.ts'
import type { ProposalNote, OpenProposal } from '../proposal/proposal.ts'
import { newProposal, type ProposalSettings } from '../proposal/proposal-settings.ts'
import { authorized, hasRole, type Operator, Unauthorized } from '../access/operator.ts'
import {
  needsTwoToIssue,
  newOperatorToken,
  type OperatorToken,
  operatorTokenDaysMax,
  type OperatorTokenRequest,
} from './operator-token.ts'
import type { IssueRefusal, NewOperatorToken, OperatorTokenStore } from './ports.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `manageOperatorTokens`. */
export type ManageOperatorTokensPorts = {
  readonly operatorTokens: OperatorTokenStore
  readonly ids: Ids
  readonly now: Clock
}

/** Why nothing was written. */
export type OperatorTokenRefusal =
  | Exclude<IssueRefusal, 'unauthorized'>
  | 'already_expired'
  /** It would live longer than `operatorTokenDaysMax`. */
  | 'expires_too_late'
  | 'not_found'
  /** Only an admin revokes another token than the presented one. */
  | 'not_own'
  /** It is the last active token of an admin: only the database's owner could issue another one. */
  | 'last_admin'

/** The issued or revoked token, the proposal to issue it, or why nothing was written. */
export type OperatorTokenAnswer =
  | { readonly type: 'token'; readonly token: OperatorToken }
  | { readonly type: 'proposal'; readonly proposal: OpenProposal }
  | { readonly type: 'refused'; readonly code: OperatorTokenRefusal }

/** How admins issue operator tokens, and revoke them. */
export type ManageOperatorTokens = {
  /** Issues a token that only reads. One that writes needs the approval of another admin: the answer is a proposal. */
  issue(operator: Operator, request: OperatorTokenRequest, note: ProposalNote): Promise<OperatorTokenAnswer>
  /** Revokes any token for an admin, the presented one for any role. It stops working at once. Idempotent. */
  revoke(operator: Operator, id: string): Promise<OperatorTokenAnswer>
}

/**
 * Operator tokens, made by the people who use them: Quipu is given a token's hash only.
 *
 * @throws Unavailable when the outcome of a write is unknown; repeat the call
 * @throws Unauthorized when the presented token is not active
 * @example
 * ```ts
 * const tokens = manageOperatorTokens(ports, defaultProposalSettings)
 * const expiresAt = new Date(ports.now().getTime() + 90 * 86_400_000)
 * const request = { person: 'carla', label: 'laptop', role: 'viewer', hash: '5e'.repeat(32), expiresAt } as const
 * const issued = await tokens.issue(ana, request, { reason: 'Joined support.', evidence: null })
 * if (issued.type === 'token') console.log(issued.token.fingerprint) // 5e5e5e5e5e5e5e5e
 * ```
 */
export function manageOperatorTokens(
  ports: ManageOperatorTokensPorts,
  settings: Pick<ProposalSettings, 'approvableSeconds'>,
): ManageOperatorTokens {
  checkSettings('manageOperatorTokens', settings, { approvableSeconds: 'positive' })

  const { operatorTokens, now } = ports
  return {
    issue: async (operator, request, note) => {
      const at = now()
      const refusal = expiryRefusal(request, at)
      if (refusal) return refused(refusal)
      const { role } = request
      const activatedAt = needsTwoToIssue(role) ? null : at
      const made = { createdAt: at, createdBy: operator.person, activatedAt }
      const token = newOperatorToken(request, { id: ports.ids.next('opt', at), ...made })
      const issued = { token, hash: request.hash }
      if (needsTwoToIssue(role)) return propose(ports, settings, operator, { ...issued, role }, note)
      const result = authorized(await operatorTokens.issue(issued, operator))
      return result === 'committed' ? { type: 'token', token } : refused(result)
    },
    revoke: async (operator, id) => {
      const found = await operatorTokens.find(id)
      if (!found) return refused('not_found')
      const own = await operatorTokens.authenticate(operator.tokenHash, now())
      if (!own) throw new Unauthorized('the operator token is not active')
      if (own.id !== id && !hasRole(own.role, 'admin')) return refused('not_own')
      const result = authorized(await operatorTokens.revoke(id, operator, now()))
      if (result === 'last_admin') return refused(result)
      return { type: 'token', token: (await operatorTokens.find(id)) ?? found }
    },
  }
}

const refused = (code: OperatorTokenRefusal): OperatorTokenAnswer => ({ type: 'refused', code })

function expiryRefusal({ expiresAt }: OperatorTokenRequest, at: Date): OperatorTokenRefusal | null {
  if (expiresAt <= at) return 'already_expired'
  const latest = at.getTime() + operatorTokenDaysMax * 86_400_000
  return expiresAt.getTime() > latest ? 'expires_too_late' : null
}

async function propose(
  { operatorTokens, ids }: ManageOperatorTokensPorts,
  settings: Pick<ProposalSettings, 'approvableSeconds'>,
  operator: Operator,
  { role, ...proposed }: NewOperatorToken & { readonly role: 'operator' | 'admin' },
  note: ProposalNote,
): Promise<OperatorTokenAnswer> {
  const { id: tokenId, createdAt, person, label, fingerprint, expiresAt } = proposed.token
  const action = { type: 'issue_operator_token', tokenId, person, label, role, fingerprint, expiresAt } as const
  const proposal = newProposal(ids, settings, operator, createdAt, { tenantId: null, action, ...note })
  const result = authorized(await operatorTokens.propose(proposed, proposal, operator))
  return result === 'committed' ? { type: 'proposal', proposal } : refused(result)
}
