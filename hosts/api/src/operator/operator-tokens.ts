import type { RequestHandler, Response } from 'express'
import { sha256 } from '@quipu/core/adapter'
import type { Operator, OperatorRole } from '@quipu/core/operator'
import { operatorTokenRefused } from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { contextOf } from '../http/context.ts'
import type { CountFailure } from '../http/limit/failed-attempts.ts'

/** The record of a token. The token itself is not stored. */
export type OperatorToken = {
  /** The actor in the audit log. */
  readonly name: string
  readonly role: OperatorRole
  /** Lowercase hex SHA-256 of the token. */
  readonly hash: string
}

/** The person who sent the request. Only after `operatorAuthentication`. */
export const operatorOf = (res: Response): Operator => res.locals['operator'] as Operator

const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i

/** Requires a bearer token whose hash is configured. */
export function operatorAuthentication(
  tokens: readonly OperatorToken[],
  countFailure: CountFailure,
): RequestHandler {
  const byHash = new Map(tokens.map((token) => [token.hash, token]))
  return (req, res, next) => {
    const [, presented] = bearer.exec(req.headers.authorization ?? '') ?? []
    const token = presented === undefined ? undefined : byHash.get(sha256(presented))
    if (!token) {
      countFailure(req)
      throw new ApiError('AUTHENTICATION_FAILED', {
        message: operatorTokenRefused,
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    }
    const { name: person, role, hash: tokenHash } = token
    res.locals['operator'] = { person, role, tokenHash } satisfies Operator
    contextOf(res).operator = token.name
    next()
  }
}
