import type { RequestHandler, Response } from 'express'
import type { Clock } from '@quipu/core'
import type { Operator, OperatorTokenStore } from '@quipu/core/operator'
import { bearerToken, tokenLookup } from '@quipu/runtime'
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

/** Requires an active token. */
export function operatorAuthentication(
  { operatorTokens, now }: OperatorAuthenticationPorts,
  countFailure: CountFailure,
): RequestHandler {
  const lookUp = tokenLookup(operatorTokens, now)
  return async (req, res, next) => {
    const presented = bearerToken(req.headers.authorization)
    const isMetrics = req.path === '/metrics'
    const operator = presented === undefined ? undefined : await lookUp(presented, { isMetrics })
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
