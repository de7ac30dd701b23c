import type { Clock } from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import {
  backlogMetrics,
  backlogReader,
  loopMetrics,
  type Metrics,
  type NamedLoop,
  processesMetrics,
  systemTimer,
} from '@quipu/runtime'
import type { WorkerSettings } from '../settings/settings.ts'

export type MetricsSources = Pick<PostgresStores, 'backlog' | 'processes'> & {
  readonly now: Clock
  readonly loops: () => readonly NamedLoop[]
}

/** What a worker exposes besides what its loops count: its loops, and the state of the whole service. */
export function workerMetrics(
  metrics: Metrics,
  { backlog, processes, now, loops }: MetricsSources,
  {
    PROCESS_MISSING_SECONDS: processMissingSeconds,
  }: Pick<WorkerSettings, 'PROCESS_MISSING_SECONDS'>,
): void {
  loopMetrics(metrics, loops)
  backlogMetrics(
    metrics,
    backlogReader(() => backlog.read(), { timer: systemTimer, now }),
  )
  processesMetrics(metrics, processes, processMissingSeconds)
}
