import type { Request, RequestHandler, Response } from 'express'
import type { Access, ApiKeyKind, Authenticate, Caller, StillAllowed } from '@quipu/core'
import type { Limit, RateLimiter } from '@quipu/runtime'
import { ApiError } from '../http/api-error.ts'
import { contextOf } from '../http/context.ts'
import { isAnswered } from '../http/deadline.ts'
import { type FailedAttemptLimit, failedAttempts, tooMany } from '../http/limit/failed-attempts.ts'
import type { SharedLimits } from '../http/limit/shared-limits.ts'
import { refusedKeyMessage } from './refused-key.ts'

/** Requests a second: reads and writes per tenant, unknown keys per source address. */
export type RateLimits = { readonly reads: Limit; readonly writes: Limit; readonly failedKeys: FailedAttemptLimit }

export type AuthenticationSettings = {
  readonly rateLimits: RateLimits
  /** The kind of keys that work here. */
  readonly keyKind: ApiKeyKind
}

/** Not counted towards the rate limit: each till asks, and one reading answers them all. */
export const statusPath = '/v1/status'

/** The caller. Only after `authentication`. */
export const callerOf = (res: Response): Caller => res.locals['caller'] as Caller

/**
 * Authenticates the caller again, since the body may arrive long after the headers.
 *
 * @throws ApiError 401 when the key is no longer valid
 */
export const renewCaller =
  (reading: 'stored' | 'cached') =>
  async (res: Response): Promise<void> => {
    const caller = await accessOf(res).renew(reading)
    if (!caller) throw new ApiError('AUTHENTICATION_FAILED')
    res.locals['caller'] = caller
  }

/** Whether the stored key of the caller is still valid. */
export const stillAllowed =
  (res: Response): StillAllowed =>
  async () =>
    (await accessOf(res).renew('stored')) !== undefined

const accessOf = (res: Response): Access => res.locals['access'] as Access

/**
 * Requires a valid key and limits the rate of its tenant.
 *
 * Unknown keys are limited per source address; valid ones from that address are not.
 *
 * @source spec §5; the limits are assumed
 */
export function authentication(
  authenticate: Authenticate,
  { rateLimits: { reads: readLimit, writes: writeLimit, failedKeys }, keyKind }: AuthenticationSettings,
  { limiter }: Pick<SharedLimits, 'limiter'>,
): RequestHandler {
  const unknown = limiter('keys', failedKeys.perSecond)
  const countFailure = failedAttempts(unknown, failedKeys.ipv6PrefixBits)
  const reads = limiter('reads', readLimit)
  const writes = limiter('writes', writeLimit)

  return async (req, res, next) => {
    const key = req.headers['x-api-key']
    const access = typeof key === 'string' && key !== '' ? await authenticate(key) : undefined
    if (isAnswered(res)) return
    if (!access) {
      countFailure(req)
      const message = refusedKeyMessage(req.headers, keyKind)
      throw new ApiError('AUTHENTICATION_FAILED', message === undefined ? {} : { message })
    }
    const { caller } = access
    res.locals['access'] = access
    res.locals['caller'] = caller
    const context = contextOf(res)
    context.tenantId = caller.tenant.id
    context.keyId = caller.key.id
    if (req.path === statusPath) return next()
    if (isRead(req)) take('reads', reads, res, caller)
    else take('writes', writes, res, caller)
    next()
  }
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** @throws ApiError 429 when the tenant has none left */
function take(name: string, limiter: RateLimiter | undefined, res: Response, caller: Caller): void {
  if (!limiter) return
  const allowance = limiter.take(caller.tenant.id)
  res.setHeader('RateLimit-Policy', `"${name}";q=${limiter.perSecond};w=1`)
  res.setHeader('RateLimit', `"${name}";r=${allowance.remaining};t=${allowance.resetSeconds}`)
  if (!allowance.isAllowed) throw tooMany(allowance)
}
