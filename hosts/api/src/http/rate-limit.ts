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
  /** Whether a request would be allowed, without taking it. */
  peek(key: string): Allowance
}

const keysMax = 100_000

/**
 * Lets `perSecond` requests a second through for each key, in bursts of at most as many.
 *
 * Keeps one number a key (GCRA): the instant at which its allowance is whole again.
 */
export function rateLimiter(perSecond: number, now: Clock): RateLimiter {
  const cost = 1000 / perSecond
  const wholeAt = new Map<string, number>()

  const look = (key: string): { at: number; used: number } => {
    const at = now().getTime()
    return { at, used: Math.max(0, (wholeAt.get(key) ?? 0) - at) }
  }
  const allowance = (isAllowed: boolean, used: number): Allowance => ({
    isAllowed,
    remaining: Math.max(0, Math.floor((1000 - used) / cost + 1e-9)),
    resetSeconds: Math.ceil(used / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((used + cost - 1000) / 1000)),
  })
  const fits = (used: number): boolean => used + cost <= 1000 + 1e-6

  return {
    perSecond,
    take(key) {
      const { at, used } = look(key)
      if (!fits(used)) return allowance(false, used)
      if (!wholeAt.has(key) && wholeAt.size >= keysMax) forget(wholeAt)
      wholeAt.set(key, at + used + cost)
      return allowance(true, used + cost)
    },
    peek(key) {
      const { used } = look(key)
      return allowance(fits(used), used)
    },
  }
}

/** Makes room: the oldest key's allowance is whole again sooner than anybody could misuse it. */
function forget(wholeAt: Map<string, number>): void {
  const oldest = wholeAt.keys().next().value
  if (oldest !== undefined) wholeAt.delete(oldest)
}
