import type { Scan, ScanPoll, Timer } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type ScanLoopPorts = {
  readonly scan: Scan
  readonly timer: Timer
  /** Called after each poll that scanned blocks or found contradicting ones. */
  readonly onPoll: (poll: ScanPoll) => void
  /** Called with the error of each poll that failed. */
  readonly report: (error: unknown) => void
}

/**
 * Scans one view of a chain until it is stopped: immediately while there are more blocks, otherwise
 * every `pollMs`.
 *
 * Any number of loops may run, in any number of processes: one at a time has the scan's lease, and
 * another one claims it when that lease ends.
 */
export const scanLoop = (
  { scan, timer, onPoll, report }: ScanLoopPorts,
  { pollMs }: { readonly pollMs: number },
): PollingLoop =>
  pollingLoop(
    () =>
      scan().then(
        (poll) => {
          if (poll.blocks > 0 || poll.state === 'contradicted') onPoll(poll)
          return poll.state === 'more' ? 0 : pollMs
        },
        (error: unknown) => {
          report(error)
          return pollMs
        },
      ),
    timer,
  )
