import type { Logger, Metrics } from '@quipu/runtime'
import { systemTiming } from './system-timing.ts'

/** The tasks of a worker, item by item, and how each can end besides `error`. */
const units = {
  payout: ['processing', 'completed', 'failed', 'rejected', 'cancelled'],
  deposit: ['pending', 'credited', 'in_review'],
  faucet_send: ['submitted', 'confirmed', 'failed'],
  sweep: ['planned', 'signed', 'solid', 'failed', 'expired', 'stale'],
  scan: ['more', 'idle', 'contradicted', 'keys_missing'],
  notice: ['accepted', 'refused', 'failed', 'stale'],
  reconciliation_slice: ['advanced', 'completed', 'stale', 'forged', 'failed'],
  ledger_slice: ['done'],
  task: ['done'],
} as const

/** A kind of work. */
export type WorkUnit = keyof typeof units

/** One unit of work that has ended. */
export type Work<Unit extends WorkUnit = WorkUnit> = {
  readonly unit: Unit
  readonly result: (typeof units)[Unit][number] | 'error'
  /** When it began, by `systemTiming.monotonic`. */
  readonly startedAt: number
  /** Members of the line: ids in `snake_case`, and counts. */
  readonly about: Readonly<Record<string, unknown>>
  /** The event, and the next step. */
  readonly message: string
  readonly level: 'debug' | 'info' | 'warn' | 'error'
}

/** Writes one line for each unit of work, and counts it. */
export type RecordWork = <Unit extends WorkUnit>(work: Work<Unit>) => void

/** Up to a slice of a reconciliation run. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export function workLog(
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>,
  metrics: Metrics,
  monotonic: () => number = systemTiming.monotonic,
): RecordWork {
  const known = Object.entries(units).flatMap(([unit, results]) =>
    [...results, 'error'].map((result) => ({ unit, result })),
  )
  const recordDuration = metrics.histogram({
    name: 'quipu_work_duration_seconds',
    help: 'Duration of units of work of this worker, by unit and result.',
    labels: ['unit', 'result'],
    buckets,
    known,
  })
  return ({ unit, result, startedAt, about, message, level }) => {
    const ms = monotonic() - startedAt
    recordDuration({ unit, result }, ms / 1000)
    log[level]({ unit, ...about, result, duration_ms: Math.round(ms * 100) / 100 }, message)
  }
}
