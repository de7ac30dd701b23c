/** A token bucket shared by all requests to one provider. Times are ms of one clock. */
export type RateLimiter = {
  /** Reserves a request. @returns how long to wait before it; 0 while the bucket has tokens */
  reserve(): number
  /** Delays all further requests, after the provider limited the rate. */
  backOff(ms: number): void
}

/**
 * @param perSecond  sustained rate, and burst after a pause
 * @param nowMs  a monotonic clock
 */
export function createRateLimiter(perSecond: number, nowMs: () => number): RateLimiter {
  if (!(perSecond > 0)) throw new RangeError('The rate must be above 0 requests per second.')
  const everyMs = 1_000 / perSecond
  const burstMs = Math.max(0, 1_000 - everyMs)
  /** Time at which the bucket is full again. */
  let fullAt = -Infinity
  return {
    reserve() {
      const now = nowMs()
      const waitMs = Math.max(0, fullAt - burstMs - now)
      fullAt = Math.max(fullAt, now) + everyMs
      return waitMs
    },
    backOff(ms) {
      fullAt = Math.max(fullAt, nowMs() + ms + burstMs)
    },
  }
}
