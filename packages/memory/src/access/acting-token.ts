import {
  type AuditAuthor,
  type Credential,
  isTokenActive,
  type OperatorRole,
  operatorRoles,
  type OperatorToken,
  sessionFingerprint,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

/** The presented token, and what audit entries say of who presented it. */
export type ActingToken = { readonly token: OperatorToken; readonly author: AuditAuthor }

/**
 * The presented token, if it is active and has one of these roles.
 *
 * @throws Error when the session is not one of the token
 */
export function actingToken(
  database: Database,
  by: Credential,
  at: Date,
  roles: readonly OperatorRole[] = operatorRoles,
): ActingToken | undefined {
  const found = Array.from(database.operatorTokens.values()).find(({ hash }) => hash === by.tokenHash)
  if (!found || !roles.includes(found.token.role) || !isTokenActive(found.token, at)) return undefined
  const { id: tokenId, person: actor } = found.token
  const address = by.address ?? null
  const session = by.session ?? null
  if (session !== null && !isSessionOf(database, tokenId, session))
    throw new Error(`${session} is not a session of the token`)
  return { token: found.token, author: { actor, tokenId, address, session, at } }
}

const isSessionOf = ({ consoleSessions }: Database, tokenId: string, session: string): boolean =>
  Array.from(consoleSessions).some(([hash, row]) => row.tokenId === tokenId && sessionFingerprint(hash) === session)

/** The roles that write. */
export const writers: readonly OperatorRole[] = ['operator', 'admin']
