import { ledgerDriftMetric, type Metrics, type RecordDrift } from '@quipu/runtime'
import type { RequestEnd } from '../http/context.ts'
import { backlogMetrics, type ReadBacklog } from './backlog-metrics.ts'

/** The metrics of an API process. */
export type ApiMetrics = {
  recordRequest(listener: 'public' | 'operator', end: RequestEnd): void
  readonly recordDrift: RecordDrift
  readonly exposition: Pick<Metrics, 'text' | 'contentType'>
}

/** @param readBacklog  backlog of the whole service, not of this process alone */
export function apiMetrics(metrics: Metrics, readBacklog: ReadBacklog): ApiMetrics {
  const recordDuration = metrics.histogram({
    name: 'quipu_http_request_duration_seconds',
    help: 'Duration of requests by the route that matched, or none.',
    labels: ['listener', 'method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  })
  const recordDrift = ledgerDriftMetric(metrics)
  backlogMetrics(metrics, readBacklog)
  return {
    recordRequest: (listener, { method, route = 'none', status, durationMs }) =>
      recordDuration({ listener, method, route, status: String(status) }, durationMs / 1000),
    recordDrift,
    exposition: metrics,
  }
}
