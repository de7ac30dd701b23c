import type { Request } from 'express'
import type { Clock } from '@quipu/core'
import { type Allowance, type Limit, rateLimiter } from './rate-limit.ts'
import { ApiError } from './api-error.ts'

/** Counts failed authentications by source address. */
export type FailedAttempts = {
  /** @throws ApiError 429 when the address has failed too often lately */
  check(req: Request): void
  count(req: Request): void
}

export function failedAttempts(limit: Limit, now: Clock): FailedAttempts {
  if (limit === 'off') return { check: () => undefined, count: () => undefined }
  const limiter = rateLimiter(limit, now)
  return {
    check(req) {
      const allowance = limiter.peek(addressOf(req))
      if (!allowance.isAllowed) throw tooMany(allowance)
    },
    count(req) {
      limiter.take(addressOf(req))
    },
  }
}

const addressOf = (req: Request): string => req.ip ?? ''

export const tooMany = ({ retryAfterSeconds }: Allowance): ApiError =>
  new ApiError('RATE_LIMITED', { headers: { 'Retry-After': String(retryAfterSeconds) } })
