import type { Monotonic, Timer } from '@quipu/core'
import { systemMonotonic } from '@quipu/core/system'

/** The counts of a loop so far. */
export type LoopActivity = {
  /** Polls that have ended. */
  readonly polls: number
  /** For how long the poll under way has run; 0 between two polls. */
  readonly pollingMs: number
}

export type PollingLoop = {
  /** Starts no further poll and resolves when the running one has ended. */
  stop(): Promise<void>
  activity(): LoopActivity
}

/**
 * Polls again and again until it is stopped; a stop also ends a pause.
 *
 * @param poll must not reject; resolves to the pause before the next poll in ms, 0 for none
 */
export function pollingLoop(
  poll: () => Promise<number>,
  timer: Timer,
  monotonic: Monotonic = systemMonotonic,
): PollingLoop {
  let isStopping = false
  let polls = 0
  let startedAt: number | undefined
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
      startedAt = monotonic()
      const pauseMs = await poll()
      startedAt = undefined
      polls += 1
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
    activity: () => ({ polls, pollingMs: startedAt === undefined ? 0 : monotonic() - startedAt }),
  }
}
