import { Unavailable } from '@quipu/core'
import type { ReconcileSlice, ReconcileSliceResult } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'

/** Writes a line of a level. */
export type LogLine = (fields: object, message: string) => void

export type ReconciliationLoopPorts = LoopTiming & {
  /** Opens the runs that are due. */
  readonly schedule: () => Promise<unknown>
  readonly reconcileSlice: ReconcileSlice
  readonly log: {
    readonly [Level in 'debug' | 'info' | 'warn' | 'error']: LogLine
  }
}

const idleMs = 1_000
const scheduleEveryMs = 60_000
export const pauseAfterFailureMs = 60_000

/**
 * Opens the runs of one check that are due, and executes them slice by slice. Rests as long as each slice takes,
 * so that reconciliation uses half the time of one connection at most.
 */
export function reconciliationLoop(ports: ReconciliationLoopPorts): PollingLoop {
  const { schedule, reconcileSlice, log, timer, monotonic } = ports
  let scheduledAt = -Infinity

  const step = async (): Promise<number> => {
    const startedAt = monotonic()
    if (startedAt - scheduledAt >= scheduleEveryMs) {
      await schedule()
      scheduledAt = startedAt
    }
    const result = await reconcileSlice()
    logResult(log, result)
    return result.type === 'idle' ? idleMs : monotonic() - startedAt
  }
  const poll = (): Promise<number> =>
    step().catch((error: unknown) => {
      log[levelOf(error)]({ err: error }, 'reconciliation failed; retrying in 1 min')
      return pauseAfterFailureMs
    })
  return pollingLoop(poll, timer)
}

function logResult(log: ReconciliationLoopPorts['log'], result: ReconcileSliceResult): void {
  if (result.type === 'idle') return
  const { id, check, period, compared, differences } = result.run
  const about = { run: id, check, ...(period && { from: period.from, to: period.to }) }
  switch (result.type) {
    case 'advanced':
      log.debug({ ...about, ...result.slice }, 'reconciliation slice compared')
      return
    case 'completed': {
      const counts = {
        compared: compared + result.slice.compared,
        differences: differences + result.slice.differences,
      }
      log.info({ ...about, ...counts }, 'reconciliation run completed')
      return
    }
    case 'stale':
      log.info(about, 'reconciliation lease ended; another worker repeats the slice')
      return
    case 'failed':
      log[levelOf(result.error)](
        { ...about, err: result.error },
        'reconciliation slice failed; repeating it in 1 min',
      )
  }
}

const levelOf = (error: unknown): 'warn' | 'error' =>
  error instanceof Unavailable ? 'warn' : 'error'
