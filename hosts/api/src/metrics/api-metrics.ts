import type { Clock, RateSource } from '@quipu/core'
import { faultCodes, type FindFaults, type ProcessStore, type RestoreStore } from '@quipu/core/operator'
import { backlogMetrics, type Metrics, paymentMetrics, processesMetrics, type ReadBacklog } from '@quipu/runtime'
import type { RequestEnd } from '../http/context.ts'
import { rateMetrics } from './rate-metrics.ts'

type ListenerName = 'public' | 'operator'

/** The metrics of an API process. */
export type ApiMetrics = {
  recordRequest(listener: ListenerName, end: RequestEnd): void
  readonly exposition: Pick<Metrics, 'text' | 'contentType'>
}

/** Sources that each scrape reads. */
export type MetricsSources = {
  /** Backlog of the whole service, not of this process alone. */
  readonly readBacklog: ReadBacklog
  readonly processes: Pick<ProcessStore, 'list'>
  readonly restores: Pick<RestoreStore, 'gate'>
  readonly rates: RateSource
  readonly findFaults: FindFaults
  readonly now: Clock
}

/** @param processMissingSeconds  silence after which a process is missing */
export function apiMetrics(
  metrics: Metrics,
  { readBacklog, processes, restores, rates, findFaults, now }: MetricsSources,
  processMissingSeconds: number,
): ApiMetrics {
  const recordRequest = requestMetrics(metrics)
  backlogMetrics(metrics, readBacklog)
  processesMetrics(metrics, processes, processMissingSeconds)
  paymentMetrics(metrics, restores)
  rateMetrics(metrics, rates, now)
  metrics.observed(
    {
      name: 'quipu_faults_open',
      help: 'Faults that last, by code, as this process finds them; must be 0.',
      labels: ['code'],
    },
    async () => {
      const found = await findFaults().catch(() => undefined)
      if (!found) return []
      return faultCodes.map((code) => [{ code }, found.filter((fault) => fault.code === code).length])
    },
  )
  return { recordRequest, exposition: metrics }
}

/** `2xx` for each status of the hundred. */
const classes = [1, 2, 3, 4, 5].map((hundred) => `${hundred}xx`)

/** A request that died has no status of its own: the caller disconnected before it was answered. */
function requestMetrics(metrics: Metrics): ApiMetrics['recordRequest'] {
  const recordDuration = metrics.histogram({
    name: 'quipu_http_request_duration_seconds',
    help: 'Duration of requests by the route that matched, or none, and the class of the status.',
    labels: ['listener', 'method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    known: ['2xx', '4xx', '5xx'].map((status) => ({
      listener: 'public',
      method: 'POST',
      route: '/v1/payouts',
      status,
    })),
  })
  const countError = metrics.counter({
    name: 'quipu_http_errors_total',
    help: 'Requests that were answered with an error, by its code.',
    labels: ['listener', 'code'],
    known: ['SERVICE_UNAVAILABLE', 'OPERATION_UNCERTAIN', 'INTERNAL_ERROR'].map((code) => ({
      listener: 'public',
      code,
    })),
  })
  return (listener, { routeMethod: method, route = 'none', status, durationMs, code }) => {
    const labels = { listener, method, route, status: classes[Math.floor(status / 100) - 1] ?? 'none' }
    recordDuration(labels, durationMs / 1000)
    if (code !== undefined) countError({ listener, code })
  }
}
