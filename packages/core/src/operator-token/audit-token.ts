import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'
import type { OperatorToken } from './operator-token.ts'

/**
 * The audit entry that is written with a token that becomes active.
 *
 * @param proposalId  of the proposal that it needed; null when it needed none
 */
export const operatorTokenIssued = (
  token: OperatorToken,
  author: AuditAuthor,
  proposalId: string | null,
): AuditEntry => ({
  ...author,
  action: 'operator_token.issue',
  tenantId: null,
  subject: token.id,
  before: null,
  after: { ...tokenDetails(token), ...(proposalId !== null && { proposal_id: proposalId }) },
})

/** The audit entry that is written with a revocation. */
export const operatorTokenRevoked = ({ id }: Pick<OperatorToken, 'id'>, author: AuditAuthor): AuditEntry => ({
  ...author,
  action: 'operator_token.revoke',
  tenantId: null,
  subject: id,
  before: { revoked_at: null },
  after: { revoked_at: author.at.toISOString() },
})

const tokenDetails = ({ person, label, role, fingerprint, expiresAt }: OperatorToken) => ({
  person,
  label,
  role,
  fingerprint,
  expires_at: expiresAt.toISOString(),
})
