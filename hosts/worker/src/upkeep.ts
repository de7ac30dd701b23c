import type { Timer } from '@quipu/core'
import { type Rounds, rounds } from '@quipu/runtime'

const retryMs = 60_000

/**
 * Does what nobody waits for, at once and then again and again; after a failure, in a minute.
 *
 * @param work answers the pause in milliseconds before it is to be done again, 0 for none
 */
export const upkeep = (
  work: () => Promise<number>,
  timer: Timer,
  report: (error: unknown) => void,
): Rounds =>
  rounds(
    () =>
      work().catch((error: unknown) => {
        report(error)
        return retryMs
      }),
    timer,
  )
