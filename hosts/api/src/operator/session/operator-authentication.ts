import type { RequestHandler, Response } from 'express'
import type { Operator, OperatorTokenStore } from '@quipu/core/operator'
import { bearerToken, tokenLookup } from '@quipu/runtime'
import { operatorTokenRefused } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { contextOf } from '../../http/context.ts'
import type { CountFailure } from '../../http/limit/failed-attempts.ts'
import { addressOf } from '../../http/limit/source-address.ts'
import { requireSecondFactor } from './second-factor-guard.ts'
import { presentedSecret } from './session-cookie.ts'
import { type SessionAuthenticationPorts, sessionOperator } from './session-authentication.ts'

export type OperatorAuthenticationPorts = SessionAuthenticationPorts & {
  readonly operatorTokens: Pick<OperatorTokenStore, 'authenticate'>
}

/** Counts a failed login, and a cookie without a session. */
export type CountFailures = { readonly login: CountFailure; readonly session: CountFailure }

/** The person who sent the request. Only after `operatorAuthentication`. */
export const operatorOf = (res: Response): Operator => res.locals['operator'] as Operator

/**
 * Requires an active token, or without `Authorization` a session of the console. Every request looks it up, so
 * that a revocation counts at once.
 */
export function operatorAuthentication(
  ports: OperatorAuthenticationPorts,
  countFailure: CountFailures,
): RequestHandler {
  const lookUp = tokenLookup(ports.operatorTokens, ports.now)
  const ofSession = sessionOperator(ports)
  return async (req, res, next) => {
    const { authorization } = req.headers
    const presented = bearerToken(authorization)
    const isMetrics = req.path === '/metrics'
    const operator = presented === undefined ? undefined : await lookUp(presented, { isMetrics })
    if (operator && ports.signIn.secondFactor === 'always') requireSecondFactor(req, ports.signIn, false)
    const acting = operator ?? (authorization === undefined ? await ofSession(req) : undefined)
    if (!acting) {
      // An ended session is no attempt to guess a token.
      if (authorization === undefined && presentedSecret(req)) countFailure.session(req)
      else countFailure.login(req)
      throw new ApiError('AUTHENTICATION_FAILED', {
        message: operatorTokenRefused,
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    }
    const from: Operator = { ...acting, address: addressOf(req) }
    res.locals['operator'] = from
    contextOf(res).operator = from
    next()
  }
}
