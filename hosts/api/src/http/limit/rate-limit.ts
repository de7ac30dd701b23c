import type { Clock } from '@quipu/core'

/** Requests a second, which is also how many may come at once; `off` lets everything pass. */
export type Limit = number | 'off'

/** How a request fared: the figures of the `RateLimit` headers. */
export type Allowance = {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Until the whole allowance is back. */
  readonly resetSeconds: number
  /** Until one request more is allowed. */
  readonly retryAfterSeconds: number
}

export type RateLimiter = {
  readonly perSecond: number
  /** Takes one request from the key's allowance, if there is one left. */
  take(key: string): Allowance
}

const keysMax = 100_000

/**
 * Lets `perSecond` requests a second through for each key, in bursts of at most as many.
 *
 * Keeps one number a key (GCRA): the instant at which its allowance is whole again. Instants are
 * whole numbers of `perSecond` parts of a millisecond, so that nothing is ever rounded.
 */
export function rateLimiter(perSecond: number, now: Clock): RateLimiter {
  const startedAt = now().getTime()
  const cost = 1_000
  const whole = perSecond * cost
  const wholeAt = new Map<string, number>()

  const instant = (): number => (now().getTime() - startedAt) * perSecond
  const usedBy = (key: string, at: number): number => {
    const used = (wholeAt.get(key) ?? 0) - at
    // Nobody can use more than the whole: the clock was put back.
    return used > whole ? 0 : Math.max(0, used)
  }
  const allowance = (isAllowed: boolean, used: number): Allowance => ({
    isAllowed,
    remaining: Math.floor((whole - used) / cost),
    resetSeconds: Math.ceil(used / whole),
    retryAfterSeconds: Math.max(1, Math.ceil((used + cost - whole) / whole)),
  })

  return {
    perSecond,
    take(key) {
      const at = instant()
      const used = usedBy(key, at)
      if (used + cost > whole) return allowance(false, used)
      if (!wholeAt.has(key) && wholeAt.size >= keysMax) forget(wholeAt)
      wholeAt.set(key, at + used + cost)
      return allowance(true, used + cost)
    },
  }
}

/** Makes room: the oldest key's allowance is whole again sooner than anybody could misuse it. */
function forget(wholeAt: Map<string, number>): void {
  const oldest = wholeAt.keys().next().value
  if (oldest !== undefined) wholeAt.delete(oldest)
}
