import type { Clock, Monotonic, Timer } from '@quipu/core'

/** A clock that only moves when a test steps it. */
export type SteppedClock = {
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly timer: Timer
  /** Advances the clock and ends the timers that are due. */
  step(ms: number): void
}

export function steppedClock(start = '2026-03-02T12:00:00.000Z'): SteppedClock {
  let at = new Date(start).getTime()
  const waits = new Set<{ readonly due: number; readonly end: () => void }>()
  return {
    now: () => new Date(at),
    monotonic: () => at,
    timer: (ms) => {
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const wait = { due: at + ms, end: resolve }
      waits.add(wait)
      return { done, cancel: () => void waits.delete(wait) }
    },
    step(ms) {
      at += ms
      for (const wait of waits) {
        if (wait.due > at) continue
        waits.delete(wait)
        wait.end()
      }
    },
  }
}
