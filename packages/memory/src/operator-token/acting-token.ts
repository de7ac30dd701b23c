import { isTokenActive, type OperatorRole, type OperatorToken } from '@quipu/core/operator'
import type { Database } from '../database.ts'

/** The active token with this hash, if it has one of these roles. */
export function actingToken(
  { operatorTokens }: Database,
  tokenHash: string,
  roles: readonly OperatorRole[],
  at: Date,
): OperatorToken | undefined {
  for (const { token, hash } of operatorTokens.values())
    if (hash === tokenHash && roles.includes(token.role) && isTokenActive(token, at)) return token
  return undefined
}

/** @throws Error when the token is another person's */
export function requirePerson({ person }: OperatorToken, actor: string | null): void {
  if (actor !== person) throw new Error(`the operator token is of ${person}, not of ${actor}`)
}
