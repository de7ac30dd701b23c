import type { Clock } from '@quipu/core'

/** Requests a second, and the size of a burst; `off` means no limit. */
export type Limit = number | 'off'

/** Whether a request is allowed, and the values of the `RateLimit` headers. */
export type Allowance = {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Until the full allowance is available. */
  readonly resetSeconds: number
  /** Until the next request is allowed. */
  readonly retryAfterSeconds: number
}

export type RateLimiter = {
  readonly perSecond: number
  /** Takes one request from the key's allowance, if any is left. */
  take(key: string): Allowance
  /** The limiter's time, in its own unit. */
  instant(): number
  /** Raises the key's use to what all processes had used at an instant. */
  raise(key: string, used: number, at: number): void
}

export const keysMax = 100_000

/** The requests that other processes have allowed at the same time are a debt of at most one more allowance. */
const debtMax = 2

/**
 * Allows `perSecond` requests a second per key, in bursts of at most as many.
 *
 * Stores one number per key (GCRA): the instant at which its full allowance is available again.
 * Instants are integers in units of 1 ms / `perSecond`, so that nothing is rounded.
 *
 * @param onAllowed  gets the key of each request that was allowed
 */
export function rateLimiter(
  perSecond: number,
  now: Clock,
  onAllowed: (key: string) => void = () => undefined,
): RateLimiter {
  const startedAt = now().getTime()
  const cost = 1_000
  const whole = perSecond * cost
  const wholeAt = new Map<string, number>()

  const instant = (): number => (now().getTime() - startedAt) * perSecond
  const usedBy = (key: string, at: number): number => {
    const used = (wholeAt.get(key) ?? 0) - at
    // More than the largest debt: the clock was set back, so start anew.
    return used > debtMax * whole ? 0 : Math.max(0, used)
  }
  const allowance = (isAllowed: boolean, used: number): Allowance => ({
    isAllowed,
    remaining: Math.max(0, Math.floor((whole - used) / cost)),
    resetSeconds: Math.ceil(used / whole),
    retryAfterSeconds: Math.max(1, Math.ceil((used + cost - whole) / whole)),
  })

  const set = (key: string, at: number): void => {
    if (!wholeAt.has(key) && wholeAt.size >= keysMax) evictOldest(wholeAt)
    wholeAt.set(key, at)
  }

  return {
    perSecond,
    instant,
    raise(key, used, at) {
      const known = at + Math.min(Math.round(used * cost), debtMax * whole)
      if (known > (wholeAt.get(key) ?? 0)) set(key, known)
    },
    take(key) {
      const at = instant()
      const used = usedBy(key, at)
      if (used + cost > whole) return allowance(false, used)
      set(key, at + used + cost)
      onAllowed(key)
      return allowance(true, used + cost)
    },
  }
}

/** Evicts the key that was inserted first: its allowance is full again after a second anyway. */
function evictOldest(wholeAt: Map<string, number>): void {
  const oldest = wholeAt.keys().next().value
  if (oldest !== undefined) wholeAt.delete(oldest)
}
