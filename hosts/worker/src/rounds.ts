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
