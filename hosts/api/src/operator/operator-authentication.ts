import type { Request, RequestHandler, Response } from 'express'
import { type Clock, Unavailable } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import type { Operator, OperatorTokenStore } from '@quipu/core/operator'
import { operatorTokenRefused } from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { contextOf } from '../http/context.ts'
import type { CountFailure } from '../http/limit/failed-attempts.ts'

export type OperatorAuthenticationPorts = {
  readonly operatorTokens: Pick<OperatorTokenStore, 'authenticate'>
  readonly now: Clock
}

/** The person who sent the request. Only after `operatorAuthentication`. */
export const operatorOf = (res: Response): Operator => res.locals['operator'] as Operator

const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i

/** Requires an active token. Every request looks it up, so that a revocation counts at once. */
export function operatorAuthentication(
  ports: OperatorAuthenticationPorts,
  countFailure: CountFailure,
): RequestHandler {
  const authenticate = metricsInOutages(ports)
  return async (req, res, next) => {
    const [, presented] = bearer.exec(req.headers.authorization ?? '') ?? []
    const operator =
      presented === undefined ? undefined : await authenticate(req, sha256(presented))
    if (!operator) {
      countFailure(req)
      throw new ApiError('AUTHENTICATION_FAILED', {
        message: operatorTokenRefused,
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    }
    res.locals['operator'] = operator
    contextOf(res).operator = operator.person
    next()
  }
}

/**
 * Looks tokens up. During an outage of the database the metrics are needed most, so that `/metrics` alone then
 * accepts the tokens that it has accepted last.
 */
function metricsInOutages({ operatorTokens, now }: OperatorAuthenticationPorts) {
  const accepted = new Map<string, Operator>()
  return async (req: Request, tokenHash: string): Promise<Operator | undefined> => {
    const isMetrics = req.path === '/metrics'
    try {
      const token = await operatorTokens.authenticate(tokenHash, now())
      const operator = token && { person: token.person, role: token.role, tokenHash }
      if (!operator) accepted.delete(tokenHash)
      else if (isMetrics) accepted.set(tokenHash, operator)
      return operator
    } catch (error) {
      const known = isMetrics && error instanceof Unavailable && accepted.get(tokenHash)
      if (known) return known
      throw error
    }
  }
}
