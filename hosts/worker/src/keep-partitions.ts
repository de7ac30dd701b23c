import type { Timer } from '@quipu/core'

export type PartitionKeeper = { stop(): Promise<void> }

const dayMs = 24 * 60 * 60 * 1000
const retryMs = 60_000

/**
 * Makes the coming months' partitions at once and then once a day; after a failure, in a minute.
 *
 * A month without its partition loses nothing: its rows go to the default one.
 */
export function keepPartitions(
  ensure: () => Promise<void>,
  timer: Timer,
  report: (error: unknown) => void,
): PartitionKeeper {
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  async function run(): Promise<void> {
    while (!isStopping) {
      const pauseMs = await ensure().then(
        () => dayMs,
        (error: unknown) => {
          report(error)
          return retryMs
        },
      )
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
