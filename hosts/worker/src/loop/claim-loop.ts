import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import { pauseAfter, pauseAfterFailure } from './poll-pause.ts'
import type { LoopTiming } from './system-timing.ts'
import { taskPool } from './task-pool.ts'

/** An item that was worked on. */
export type WorkedOn<Claimed> = {
  readonly claimed: Claimed
  /** By the loop's `monotonic`. */
  readonly startedAt: number
}

export type ClaimLoopPorts<Claimed, Result = unknown> = LoopTiming & {
  /** Claims at most `limit` items that are due. */
  readonly claimDue: (limit: number, leaseSeconds: number) => Promise<readonly Claimed[]>
  readonly work: (claimed: Claimed) => Promise<Result>
  /** Called with each item whose work did not fail. */
  readonly onEnd?: (ended: WorkedOn<Claimed> & { readonly result: Result }) => void
  /** Called with each error of a claim, and of the work on an item, which becomes due when its lease ends. */
  readonly report: (error: unknown, step: 'claim' | 'work', failed?: WorkedOn<Claimed>) => void
}

export type ClaimLoopSettings = {
  /** Items in progress at the same time. */
  readonly concurrency: number
  /** Claims once this many more items fit; 1 by default. Claiming many items costs about as much as claiming one. */
  readonly minBatch?: number
  readonly leaseSeconds: number
  /** The shortest pause when nothing is due. */
  readonly idleMs: number
}

/**
 * Works on items that are due until it is stopped: payouts, deposits, faucet sends or deliveries.
 *
 * Claims only items that it starts immediately, so that no lease runs out in a queue. Any number of
 * loops may run, in any number of processes: each claim goes to one of them.
 *
 * @returns a loop whose stop resolves when the claimed items are done
 */
export function claimLoop<Claimed, Result>(
  ports: ClaimLoopPorts<Claimed, Result>,
  settings: ClaimLoopSettings,
): PollingLoop {
  const { claimDue, work, onEnd, timer, monotonic, report } = ports
  const tasks = taskPool()

  const poll = async (): Promise<number> => {
    const free = settings.concurrency - tasks.size()
    if (free < (settings.minBatch ?? 1)) {
      await tasks.nextEnd()
      return 0
    }
    const startedAt = monotonic()
    const claimed = await claimDue(free, settings.leaseSeconds).catch((error: unknown) => report(error, 'claim'))
    if (!claimed) return pauseAfterFailure(settings.idleMs)
    for (const each of claimed) tasks.start(run(each))
    if (claimed.length === free) return 0
    return pauseAfter(settings.idleMs, monotonic() - startedAt, claimed.length)
  }
  const run = async (claimed: Claimed): Promise<void> => {
    const startedAt = monotonic()
    try {
      const result = await work(claimed)
      onEnd?.({ claimed, startedAt, result })
    } catch (error) {
      report(error, 'work', { claimed, startedAt })
    }
  }

  const loop = pollingLoop(poll, timer)
  return {
    ...loop,
    stop: async () => {
      await loop.stop()
      await tasks.idle()
    },
  }
}
