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
  const everyMs = 1000 / perSecond
  // All wait for equally long, so that those that are over come first.
  const nextAt = new Map<string, number>()

  /** One that is further ahead than anybody waits is of a clock that was put back since. */
  const isOver = (next: number, at: number): boolean => next <= at || next > at + everyMs

  function forgetWhatIsOver(at: number): void {
    for (const [name, next] of nextAt) {
      if (!isOver(next, at)) return
      nextAt.delete(name)
    }
  }
  return {
    waitMs(name) {
      const at = now().getTime()
      const next = nextAt.get(name) ?? at
      return isOver(next, at) ? 0 : next - at
    },
    take(name) {
      const at = now().getTime()
      forgetWhatIsOver(at)
      nextAt.delete(name)
      nextAt.set(name, at + everyMs)
    },
  }
}
