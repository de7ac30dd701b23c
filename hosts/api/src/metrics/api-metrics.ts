import { ledgerDrift, type Metrics, type ReportDrift } from '@quipu/runtime'
import { backlogFigures, type ReadBacklog } from './backlog-metrics.ts'
import type { RequestEnd } from '../http/context.ts'

/** What the API measures of itself. */
export type Figures = {
  /** Notes how a request ended. */
  request(listener: 'public' | 'operator', end: RequestEnd): void
  readonly drift: ReportDrift
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
}

/** @param readBacklog  for the figures of what waits, which are not of this process alone */
export function figures(metrics: Metrics, readBacklog: ReadBacklog): Figures {
  const took = metrics.histogram({
    name: 'quipu_http_request_duration_seconds',
    help: 'How long requests took, by the route that they met; none when they met none.',
    labels: ['listener', 'method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  })
  const drift = ledgerDrift(metrics)
  backlogFigures(metrics, readBacklog)
  return {
    request: (listener, { method, route = 'none', status, durationMs }) =>
      took({ listener, method, route, status: String(status) }, durationMs / 1000),
    drift,
    metrics,
  }
}
