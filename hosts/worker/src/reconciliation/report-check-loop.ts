import type { Clock, Timer } from '@quipu/core'
import { dayAt, namedPeriod, type Period } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type ReportCheckLoopPorts = {
  readonly check: (day: Period) => Promise<number>
  readonly log: { readonly [Level in 'debug' | 'warn']: (fields: object, message: string) => void }
  readonly now: Clock
  readonly timer: Timer
}

const dayMs = 86_400_000
const pauseMs = 600_000

/** Recomputes the reports of each UTC day once it has settled, as the comparison with the statement does. */
export function reportCheckLoop(
  { check, log, now, timer }: ReportCheckLoopPorts,
  { settleSeconds }: { readonly settleSeconds: number },
): PollingLoop {
  let checked = ''
  return pollingLoop(async () => {
    const name = dayAt(new Date(now().getTime() - settleSeconds * 1_000 - dayMs), 'UTC')
    const day = namedPeriod(name, 'UTC')
    if (day === undefined || name === checked) return pauseMs
    try {
      const count = await check(day)
      checked = name
      log.debug({ day: name, count }, 'the reports of the day were recomputed')
    } catch (error) {
      log.warn({ err: error }, 'recomputing the reports of the day failed; retrying in ten minutes')
    }
    return pauseMs
  }, timer)
}
