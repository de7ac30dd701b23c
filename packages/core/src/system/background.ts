import type { Timer } from '../index.ts'
import { withTimeout } from '../adapter.ts'
import { systemTimer } from './system.ts'

/** Work that continues after the answer, such as a payment that the network has not answered yet. */
export type Background = {
  /** Tracks the work and reports its failure. Never throws. */
  readonly run: (work: Promise<unknown>) => void
  /** Waits for all work. @returns false when some is left after `ms` */
  settled(ms: number): Promise<boolean>
}

/** Keeps track of work that continues after an answer. @param report  receives the error of failed work */
export function background(report: (error: unknown) => void, timer: Timer = systemTimer): Background {
  const running = new Set<Promise<unknown>>()
  return {
    run(work) {
      const tracked = work.catch(report).finally(() => running.delete(tracked))
      running.add(tracked)
    },
    async settled(ms) {
      // Work may start more work.
      const drain = async (): Promise<boolean> => {
        while (running.size > 0) await Promise.all(running)
        return true
      }
      return (await withTimeout(timer, ms, drain())) ?? false
    },
  }
}
