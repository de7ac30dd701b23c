import type { ClaimedPayout, PayoutStore, ResumePayout, Timer } from '@quipu/core'
import { rounds } from './rounds.ts'

export type ResumeLoopPorts = {
  readonly payouts: Pick<PayoutStore, 'claimDue'>
  readonly resume: ResumePayout
  readonly timer: Timer
  /** Told of a round or a payout that failed; what was claimed becomes due again by itself. */
  readonly report: (error: unknown) => void
}

export type ResumeLoopSettings = {
  /** Payouts asked about at the same time. */
  readonly atOnce: number
  readonly leaseSeconds: number
  /** The pause when nothing is due. */
  readonly idleMs: number
}

export type ResumeLoop = {
  /** Claims nothing more and resolves when what was claimed is done. */
  stop(): Promise<void>
}

/**
 * Resumes payouts in `processing` for as long as it runs.
 *
 * Claims only what it can ask about at once, so that no lease runs out in a queue. Any number of
 * loops may run, in any number of processes: a claim is one worker's.
 */
export function resumeLoop(ports: ResumeLoopPorts, settings: ResumeLoopSettings): ResumeLoop {
  const { payouts, resume, timer, report } = ports
  const running = new Set<Promise<void>>()
  const start = (claimed: ClaimedPayout): void => {
    const work = resume(claimed).then(() => undefined, report)
    const tracked: Promise<void> = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  const round = async (): Promise<number> => {
    const free = settings.atOnce - running.size
    if (free === 0) {
      await Promise.race(running)
      return 0
    }
    const claimed = await payouts.claimDue(free, settings.leaseSeconds).catch((error: unknown) => {
      report(error)
      return []
    })
    claimed.forEach(start)
    return claimed.length === free ? 0 : settings.idleMs
  }

  const turns = rounds(round, timer)
  return {
    stop: async () => {
      await turns.stop()
      await Promise.all(running)
    },
  }
}
