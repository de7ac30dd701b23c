import type { Timer } from '@quipu/core'
import { type Rounds, rounds } from '@quipu/runtime'

const dayMs = 24 * 60 * 60 * 1000
const retryMs = 60_000

/**
 * Makes the coming months' partitions at once and then once a day; after a failure, in a minute.
 *
 * A month without its partition loses nothing: its rows go to the default one.
 */
export const keepPartitions = (
  ensure: () => Promise<void>,
  timer: Timer,
  report: (error: unknown) => void,
): Rounds =>
  rounds(
    () =>
      ensure().then(
        () => dayMs,
        (error: unknown) => {
          report(error)
          return retryMs
        },
      ),
    timer,
  )
