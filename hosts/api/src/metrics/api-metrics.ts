import type { Clock, RateSource } from '@quipu/core'
import type { ProcessStore } from '@quipu/core/operator'
import { backlogMetrics, type Metrics, processesMetrics, type ReadBacklog } from '@quipu/runtime'
import type { RequestEnd } from '../http/context.ts'
import { rateMetrics } from './rate-metrics.ts'

/** The metrics of an API process. */
export type ApiMetrics = {
  recordRequest(listener: 'public' | 'operator', end: RequestEnd): void
  readonly exposition: Pick<Metrics, 'text' | 'contentType'>
}

/** What metrics read at each scrape. */
export type MetricsSources = {
  /** Backlog of the whole service, not of this process alone. */
  readonly readBacklog: ReadBacklog
  readonly processes: Pick<ProcessStore, 'list'>
  readonly rates: RateSource
  readonly now: Clock
}

/** @param processMissingSeconds  silence after which a process is missing */
export function apiMetrics(
  metrics: Metrics,
  { readBacklog, processes, rates, now }: MetricsSources,
  processMissingSeconds: number,
): ApiMetrics {
  const recordDuration = metrics.histogram({
    name: 'quipu_http_request_duration_seconds',
    help: 'Duration of requests by the route that matched, or none.',
    labels: ['listener', 'method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  })
  backlogMetrics(metrics, readBacklog)
  processesMetrics(metrics, processes, processMissingSeconds)
  rateMetrics(metrics, rates, now)
  return {
    recordRequest: (listener, { method, route = 'none', status, durationMs }) =>
      recordDuration({ listener, method, route, status: String(status) }, durationMs / 1000),
    exposition: metrics,
  }
}
