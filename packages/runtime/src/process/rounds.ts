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
  let isStopping = false
  let goOn: (() => void) | undefined

  // Each pause has a promise of its own. One that all of them raced against would keep something of
  // every pause for as long as the rounds go on.
  const pause = async (ms: number): Promise<void> => {
    const over = Promise.withResolvers<void>()
    goOn = over.resolve
    const { done, cancel } = timer(ms)
    void done.then(goOn)
    await over.promise
    cancel()
  }
  async function run(): Promise<void> {
    while (!isStopping) {
      const pauseMs = await round()
      if (pauseMs > 0 && !isStopping) await pause(pauseMs)
    }
  }

  const ended = run()
  return {
    stop: () => {
      isStopping = true
      goOn?.()
      return ended
    },
  }
}
