import { Unavailable } from '@quipu/core'
import type { ReconciledSlice, ReconcileSlice, ReconcileSliceResult, ReconciliationCheck } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'
import type { RecordWork } from '../loop/work-log.ts'

export type ReconciliationLoopPorts = LoopTiming & {
  /** Opens the runs that are due. */
  readonly schedule: () => Promise<unknown>
  readonly reconcileSlice: ReconcileSlice
  readonly record: RecordWork
  /** Counts what each slice has compared and found. */
  readonly count: (check: ReconciliationCheck, slice: ReconciledSlice) => void
}

const idleMs = 1_000
const scheduleEveryMs = 60_000
/** After a slice that failed: the network, or the chain, has not answered. */
export const pauseAfterFailureMs = 60_000
/** After the store has failed: a fail-over takes seconds. */
const storeRetryMs = 5_000

/**
 * Opens the runs of one check that are due, and executes them slice by slice. Rests as long as each slice takes,
 * so that reconciliation uses half the time of one connection at most.
 */
export function reconciliationLoop(ports: ReconciliationLoopPorts): PollingLoop {
  const { schedule, reconcileSlice, record, timer, monotonic } = ports
  let scheduledAt = -Infinity

  const step = async (): Promise<number> => {
    const startedAt = monotonic()
    if (startedAt - scheduledAt >= scheduleEveryMs) {
      await schedule()
      scheduledAt = startedAt
    }
    const result = await reconcileSlice()
    recordResult(ports, result, startedAt)
    return result.type === 'idle' ? idleMs : monotonic() - startedAt
  }
  const poll = (): Promise<number> => {
    const startedAt = monotonic()
    return step().catch((error: unknown) => {
      record({
        unit: 'reconciliation_slice',
        result: 'error',
        startedAt,
        about: { err: error },
        level: levelOf(error),
        message: `reconciliation failed; retrying in ${storeRetryMs / 1_000} s`,
      })
      return storeRetryMs
    })
  }
  return pollingLoop(poll, timer)
}

function recordResult(
  { record, count }: ReconciliationLoopPorts,
  result: ReconcileSliceResult,
  startedAt: number,
): void {
  if (result.type === 'idle') return
  const { id, check, period, compared, differences } = result.run
  const work = { unit: 'reconciliation_slice', result: result.type, startedAt } as const
  const about = { run_id: id, check, ...(period && { from: period.from, to: period.to }) }
  switch (result.type) {
    case 'advanced': {
      count(check, result.slice)
      const message = 'reconciliation slice compared; the next one follows'
      record({ ...work, about: { ...about, ...countsOf(result.slice) }, level: 'info', message })
      return
    }
    case 'completed': {
      count(check, result.slice)
      const counts = { compared: compared + result.slice.compared, differences: differences + result.slice.differences }
      const message = 'reconciliation run completed'
      record({ ...work, about: { ...about, ...counts }, level: 'info', message })
      return
    }
    case 'stale': {
      const message = 'reconciliation lease ended; another worker repeats the slice'
      record({ ...work, about, level: 'info', message })
      return
    }
    case 'forged': {
      const message = 'no process left the reconciliation run as it was; ended without a comparison'
      record({ ...work, about, level: 'error', message })
      return
    }
    case 'failed': {
      const message = 'reconciliation slice failed; repeating it in 1 min'
      const level = levelOf(result.error)
      record({ ...work, about: { ...about, err: result.error }, level, message })
    }
  }
}

const countsOf = ({ compared, differences }: ReconciledSlice) => ({ compared, differences })

const levelOf = (error: unknown): 'warn' | 'error' => (error instanceof Unavailable ? 'warn' : 'error')
