import type { Clock } from '@quipu/core'

/** Lets each name have its turn so many times a second at most, evenly. */
export type Pace = {
  /** How long the name must wait for its turn, in ms. */
  waitMs(name: string): number
  /** Takes the name's turn. */
  take(name: string): void
}

/** Remembers no name for longer than its wait. */
export function pace(perSecond: number, now: Clock): Pace {
  // All wait for equally long, so that those that are over come first.
  const nextAt = new Map<string, number>()

  function forgetWhatIsOver(at: number): void {
    for (const [name, next] of nextAt) {
      if (next > at) return
      nextAt.delete(name)
    }
  }
  return {
    waitMs: (name) => Math.max(0, (nextAt.get(name) ?? 0) - now().getTime()),
    take(name) {
      const at = now().getTime()
      forgetWhatIsOver(at)
      nextAt.delete(name)
      nextAt.set(name, at + 1000 / perSecond)
    },
  }
}
