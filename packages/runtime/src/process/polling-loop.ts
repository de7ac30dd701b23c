import type { Timer } from '@quipu/core'

export type PollingLoop = {
  /** Starts no further poll and resolves when the running one has ended. */
  stop(): Promise<void>
}

/**
 * Polls again and again until it is stopped; a stop also ends a pause.
 *
 * @param poll must not reject; resolves to the pause before the next poll in ms, 0 for none
 */
export function pollingLoop(poll: () => Promise<number>, timer: Timer): PollingLoop {
  let isStopping = false
  let wake: (() => void) | undefined

  // Each pause has a promise of its own: racing every pause against one shared promise would retain
  // memory for each pause until the loop stops.
  const pause = async (ms: number): Promise<void> => {
    const over = Promise.withResolvers<void>()
    wake = over.resolve
    const { done, cancel } = timer(ms)
    void done.then(wake)
    await over.promise
    cancel()
  }
  async function run(): Promise<void> {
    while (!isStopping) {
      const pauseMs = await poll()
      if (pauseMs > 0 && !isStopping) await pause(pauseMs)
    }
  }

  const ended = run()
  return {
    stop: () => {
      isStopping = true
      wake?.()
      return ended
    },
  }
}
