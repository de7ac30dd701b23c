import type { Clock } from '@quipu/core'

/** Limits events of each name to a number per second, evenly spaced. */
export type Pace = {
  /** The ms until the next event of the name is allowed. */
  waitMs(name: string): number
  /** Records an event of the name. */
  take(name: string): void
}

/** Keeps a name in memory until its wait is over. */
export function pace(perSecond: number, now: Clock): Pace {
  const everyMs = 1000 / perSecond
  // All waits have the same length, so the insertion order is the order of expiry.
  const nextAt = new Map<string, number>()

  /** An instant further ahead than one wait dates from before the clock was set back. */
  const isExpired = (next: number, at: number): boolean => next <= at || next > at + everyMs

  function dropExpired(at: number): void {
    for (const [name, next] of nextAt) {
      if (!isExpired(next, at)) return
      nextAt.delete(name)
    }
  }
  return {
    waitMs(name) {
      const at = now().getTime()
      const next = nextAt.get(name) ?? at
      return isExpired(next, at) ? 0 : next - at
    },
    take(name) {
      const at = now().getTime()
      dropExpired(at)
      nextAt.delete(name)
      nextAt.set(name, at + everyMs)
    },
  }
}
