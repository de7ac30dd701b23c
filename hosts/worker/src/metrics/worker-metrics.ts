import type { Clock } from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import {
  backlogMetrics,
  backlogReader,
  loopMetrics,
  type Metrics,
  type NamedLoop,
  paymentMetrics,
  processesMetrics,
  serverMetrics,
} from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import type { WorkerSettings } from '../settings/settings.ts'

export type MetricsSources = Pick<PostgresStores, 'backlog' | 'processes' | 'restores' | 'serverState'> & {
  readonly now: Clock
  readonly loops: () => readonly NamedLoop[]
}

/** Metrics of a worker besides those of its loops: its loops, the database server, and the state of the whole service. */
export function workerMetrics(
  metrics: Metrics,
  { backlog, processes, restores, serverState, now, loops }: MetricsSources,
  { PROCESS_MISSING_SECONDS: processMissingSeconds }: Pick<WorkerSettings, 'PROCESS_MISSING_SECONDS'>,
): void {
  loopMetrics(metrics, loops)
  serverMetrics(metrics, serverState, { timer: systemTimer, now })
  backlogMetrics(
    metrics,
    backlogReader(() => backlog.read(), { timer: systemTimer, now }),
  )
  processesMetrics(metrics, processes, processMissingSeconds)
  paymentMetrics(metrics, restores)
}
