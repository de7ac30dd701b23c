import type { Timer } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

export type Upkeep = (
  work: () => Promise<unknown>,
  timer: Timer,
  report: (error: unknown) => void,
) => PollingLoop

/** Does what nobody waits for at once, and then again and again; after a failure, in a minute. */
export const every =
  (pauseMs: number): Upkeep =>
  (work, timer, report) =>
    pollingLoop(
      () =>
        work().then(
          () => pauseMs,
          (error: unknown) => {
            report(error)
            return minuteMs
          },
        ),
      timer,
    )

/** A month without its partition loses nothing: its rows go to the default one. */
export const keepPartitions: Upkeep = every(dayMs)

/** Without a newer checkpoint the books are right, and take longer to read. */
export const keepCheckpoints: Upkeep = every(hourMs)
