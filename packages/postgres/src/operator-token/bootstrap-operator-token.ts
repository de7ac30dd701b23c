import type { NewOperatorToken } from '@quipu/core/operator'
import { type OwnerConnection, withOwner } from '../connection/owner-session.ts'

// Decided by migrations/0024-operator-tokens.sql.

/**
 * Issues a token of any role without another operator: for the first two admins, and when no admin is left.
 * Writes the audit entry `operatorTokenIssued`.
 *
 * @param connection  of the role that migrates: processes may not do this
 * @throws Error when the role may not, another token has the hash, or it expires too late
 */
export const bootstrapOperatorToken = async (
  connection: OwnerConnection,
  { token, hash }: NewOperatorToken,
): Promise<void> =>
  withOwner(connection, async (client) => {
    const { id, person, label, role, createdAt, expiresAt } = token
    await client.query('select quipu.bootstrap_operator_token($1, $2, $3, $4, $5, $6, $7)', [
      id,
      person,
      label,
      role,
      hash,
      createdAt,
      expiresAt,
    ])
  })
