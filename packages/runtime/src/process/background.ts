import { type Timer, withTimeout } from '@quipu/core'
import { systemTimer } from './system.ts'

/** Work that goes on after the answer, such as a payment that the network is still making. */
export type Background = {
  /** Takes the work; if it fails, that is reported. Never throws. */
  readonly run: (work: Promise<unknown>) => void
  /** Resolves when there is none left, `true`, or after `ms`, `false`. */
  settled(ms: number): Promise<boolean>
}

/** @param report  told of work that failed; nobody else is waiting for it */
export function background(
  report: (error: unknown) => void,
  timer: Timer = systemTimer,
): Background {
  const running = new Set<Promise<unknown>>()
  return {
    run(work) {
      const tracked = work.catch(report).finally(() => running.delete(tracked))
      running.add(tracked)
    },
    async settled(ms) {
      // What ends may have started more: look again until nothing is left.
      const drain = async (): Promise<boolean> => {
        while (running.size > 0) await Promise.all(running)
        return true
      }
      return (await withTimeout(timer, ms, drain())) ?? false
    },
  }
}
