import type { Scan, ScanPoll } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'

export type ScanLoopPorts = LoopTiming & {
  readonly scan: Scan
  /** Called after each poll that scanned blocks or is halted. */
  readonly onPoll: (poll: ScanPoll, startedAt: number) => void
  /** Called with the error of each poll that failed. */
  readonly report: (error: unknown, startedAt: number) => void
}

/**
 * Scans one view of a chain until it is stopped: immediately while there are more blocks, otherwise every `pollMs`.
 *
 * Any number of loops may run, in any number of processes: one at a time has the scan's lease, and another one claims
 * it when that lease ends.
 */
export const scanLoop = (
  { scan, timer, monotonic, onPoll, report }: ScanLoopPorts,
  { pollMs }: { readonly pollMs: number },
): PollingLoop =>
  pollingLoop(() => {
    const startedAt = monotonic()
    return scan().then(
      (poll) => {
        const isHalted = poll.state === 'contradicted' || poll.state === 'keys_missing'
        if (poll.blocks > 0 || isHalted) onPoll(poll, startedAt)
        return poll.state === 'more' ? 0 : pollMs
      },
      (error: unknown) => {
        report(error, startedAt)
        return pollMs
      },
    )
  }, timer)
