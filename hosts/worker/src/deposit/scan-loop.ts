import type { Scan, ScanPoll, Timer } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type ScanLoopPorts = {
  readonly scan: Scan
  readonly timer: Timer
  /** Told of every round that scanned something, or that could not. */
  readonly tell: (round: ScanPoll) => void
  readonly report: (error: unknown) => void
}

/**
 * Scans one view of a chain for as long as it runs: at once while there is more, else every `pollMs`.
 *
 * Any number of loops may run, in any number of processes: only one at a time holds the scan, and
 * the others take it over when that one goes silent.
 */
export const scanLoop = (
  { scan, timer, tell, report }: ScanLoopPorts,
  { pollMs }: { readonly pollMs: number },
): PollingLoop =>
  pollingLoop(
    () =>
      scan().then(
        (round) => {
          if (round.blocks > 0 || round.state === 'contradicted') tell(round)
          return round.state === 'more' ? 0 : pollMs
        },
        (error: unknown) => {
          report(error)
          return pollMs
        },
      ),
    timer,
  )
