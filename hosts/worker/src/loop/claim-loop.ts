import type { Timer } from '@quipu/core'
import { pollingLoop } from '@quipu/runtime'
import { crew } from './task-pool.ts'
import { pauseAfter, pauseAfterFault } from './poll-pause.ts'

export type ClaimLoopPorts<Claimed> = {
  /** Claims at most so many that are due. */
  readonly claimDue: (limit: number, leaseSeconds: number) => Promise<readonly Claimed[]>
  readonly work: (claimed: Claimed) => Promise<unknown>
  readonly timer: Timer
  /** Told of a round or a claim that failed; what was claimed becomes due again by itself. */
  readonly report: (error: unknown) => void
}

export type ClaimLoopSettings = {
  /** Claims worked on at the same time. */
  readonly atOnce: number
  /** Claims nothing until there is room for so many: a claim of many costs hardly more than one of one. */
  readonly atLeast?: number
  readonly leaseSeconds: number
  /** The pause when nothing is due. */
  readonly idleMs: number
}

export type ClaimLoop = {
  /** Claims nothing more and resolves when what was claimed is done. */
  stop(): Promise<void>
}

/**
 * Works on what is due for as long as it runs: payouts, deposits, faucet sends, deliveries.
 *
 * Claims only what it can begin at once, so that no lease runs out in a queue. Any number of loops
 * may run, in any number of processes: a claim is one worker's.
 */
export function claimLoop<Claimed>(
  ports: ClaimLoopPorts<Claimed>,
  settings: ClaimLoopSettings,
): ClaimLoop {
  const { claimDue, work, timer, report } = ports
  const { size, start, left, idle } = crew()

  const round = async (): Promise<number> => {
    const free = settings.atOnce - size()
    if (free < (settings.atLeast ?? 1)) {
      await left()
      return 0
    }
    const askedAt = performance.now()
    const claimed = await claimDue(free, settings.leaseSeconds).catch(report)
    if (!claimed) return pauseAfterFault(settings.idleMs)
    for (const each of claimed) start(work(each).then(nothing, report))
    return claimed.length === free ? 0 : pauseAfter(settings.idleMs, askedAt, claimed.length)
  }

  const loop = pollingLoop(round, timer)
  return {
    stop: async () => {
      await loop.stop()
      await idle()
    },
  }
}

const nothing = (): void => undefined
