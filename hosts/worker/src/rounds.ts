import type { Timer } from '@quipu/core'

export type Rounds = {
  /** Begins no further round and resolves when the one that runs has ended. */
  stop(): Promise<void>
}

/**
 * Runs round after round until it is stopped, also in mid-pause.
 *
 * @param round must not throw; answers the pause in milliseconds before the next one, 0 for none
 */
export function rounds(round: () => Promise<number>, timer: Timer): Rounds {
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  async function run(): Promise<void> {
    while (!isStopping) {
      const pauseMs = await round()
      if (pauseMs === 0) continue
      const pause = timer(pauseMs)
      await Promise.race([pause.done, stopped.promise])
      pause.cancel()
    }
  }

  const ended = run()
  return {
    stop: () => {
      isStopping = true
      stopped.resolve()
      return ended
    },
  }
}

/**
 * The pause after a question that found less than it might have: the more it has cost, the longer.
 * Asking takes half of the time at most, and a tenth of it in vain.
 *
 * @param askedAt  by `performance.now()`
 * @param found  how much there was
 */
export const pauseAfter = (idleMs: number, askedAt: number, found: number): number =>
  Math.max(idleMs, (found > 0 ? 1 : 9) * (performance.now() - askedAt))
