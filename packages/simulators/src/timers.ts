/** A clock with timers. */
export type Timers = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `action` once, `ms` from now. */
  after(ms: number, action: () => void): void
  /** Resolves after `ms`; immediately if `ms` is 0. */
  wait(ms: number): Promise<void>
  /** Runs due timers of a stepped clock. No effect with real time. */
  tick(): void
  /** Cancels all timers. */
  stop(): void
}

/** Real timers without `now`. With `now`, a stepped clock: due timers run in order of their time at the next `tick`. */
export const createTimers = (now?: () => Date): Timers => (now ? stepped(now) : real())

function real(): Timers {
  const waiting = new Set<NodeJS.Timeout>()
  const after = (ms: number, action: () => void): void => {
    const timer = setTimeout(() => {
      waiting.delete(timer)
      action()
    }, ms)
    waiting.add(timer)
  }
  return {
    now: () => Date.now(),
    after,
    wait: (ms) => waitBy(after, ms),
    tick() {},
    stop() {
      for (const timer of waiting) clearTimeout(timer)
      waiting.clear()
    },
  }
}

function stepped(now: () => Date): Timers {
  let waiting: { readonly at: number; readonly action: () => void }[] = []
  const after = (ms: number, action: () => void): void => {
    waiting.push({ at: now().getTime() + ms, action })
  }
  return {
    now: () => now().getTime(),
    after,
    wait: (ms) => waitBy(after, ms),
    tick() {
      const time = now().getTime()
      const due = waiting.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)
      waiting = waiting.filter(({ at }) => at > time)
      for (const { action } of due) action()
    },
    stop() {
      waiting = []
    },
  }
}

async function waitBy(after: Timers['after'], ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve))
}
