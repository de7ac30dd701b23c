import type { OperatorToken } from '@quipu/core/operator'

/** The record of an operator token, without its hash. */
export type TokenRow = {
  readonly id: string
  readonly person: string
  readonly label: string
  readonly role: OperatorToken['role']
  readonly fingerprint: string
  readonly created_at: Date
  readonly created_by: string
  readonly activated_at: Date | null
  readonly expires_at: Date
  readonly revoked_at: Date | null
  readonly revoked_by: string | null
}

export const tokenFromRow = ({ revoked_at: at, revoked_by: by, ...row }: TokenRow): OperatorToken => ({
  id: row.id,
  person: row.person,
  label: row.label,
  role: row.role,
  fingerprint: row.fingerprint,
  createdAt: row.created_at,
  createdBy: row.created_by,
  activatedAt: row.activated_at,
  expiresAt: row.expires_at,
  revocation: at === null || by === null ? null : { at, by },
})
