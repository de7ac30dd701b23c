import type { Request } from 'express'
import type { Clock } from '@quipu/core'
import { type Allowance, type Limit, rateLimiter } from './rate-limit.ts'
import { ApiError } from '../api-error.ts'
import { sourceOf } from './source-address.ts'

/** How often keys and tokens that are not known may come from one source address. */
export type FailedAttemptLimit = {
  readonly perSecond: Limit
  /** IPv6 addresses count together by so many of their first bits. */
  readonly ipv6PrefixBits: number
}

/**
 * Counts an authentication that has failed. A good key passes however many have failed, since
 * tenants may share an address.
 *
 * @throws ApiError 429 when its source address has failed too often lately
 */
export type CountFailure = (req: Request) => void

export function failedAttempts(
  { perSecond, ipv6PrefixBits }: FailedAttemptLimit,
  now: Clock,
): CountFailure {
  if (perSecond === 'off') return () => undefined
  const limiter = rateLimiter(perSecond, now)
  return (req) => {
    const allowance = limiter.take(sourceOf(req, ipv6PrefixBits))
    if (!allowance.isAllowed) throw tooMany(allowance)
  }
}

export const tooMany = ({ retryAfterSeconds }: Allowance): ApiError =>
  new ApiError('RATE_LIMITED', { headers: { 'Retry-After': String(retryAfterSeconds) } })
