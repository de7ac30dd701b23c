import type { Request } from 'express'
import type { Allowance, Limit, RateLimiter } from '@quipu/runtime'
import { ApiError } from '../api-error.ts'
import { sourceOf } from './source-address.ts'

/** Rate limit of unknown keys and tokens per source address. */
export type FailedAttemptLimit = {
  readonly perSecond: Limit
  /** IPv6 addresses with a common prefix of this many bits count together. */
  readonly ipv6PrefixBits: number
}

/**
 * Counts a failed authentication. Valid keys are never limited, since tenants may share an address.
 *
 * @throws ApiError 429 when the source address exceeds the limit
 */
export type CountFailure = (req: Request) => void

export function failedAttempts(limiter: RateLimiter | undefined, ipv6PrefixBits: number): CountFailure {
  if (!limiter) return () => undefined
  return (req) => {
    const allowance = limiter.take(sourceOf(req, ipv6PrefixBits))
    if (!allowance.isAllowed) throw tooMany(allowance)
  }
}

export const tooMany = ({ retryAfterSeconds }: Allowance): ApiError =>
  new ApiError('RATE_LIMITED', { headers: { 'Retry-After': String(retryAfterSeconds) } })
