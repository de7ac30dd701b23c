import type { Metrics } from './metrics.ts'

/** Spans of this process that no collector has received, from its start on. */
export type LostSpans = { readonly dropped: number; readonly failed: number }

/** The spans that a process without a collector loses. */
export const noLostSpans = (): LostSpans => ({ dropped: 0, failed: 0 })

/** The spans that were lost, by why: `dropped` from a full queue, or `failed` to be sent. */
export const traceMetrics = (metrics: Metrics, lostSpans: () => LostSpans): void =>
  metrics.observedCounter(
    {
      name: 'quipu_trace_spans_lost_total',
      help: 'Spans that no collector has received, by reason.',
      labels: ['reason'],
    },
    async () => {
      const { dropped, failed } = lostSpans()
      return [
        [{ reason: 'dropped' }, dropped],
        [{ reason: 'failed' }, failed],
      ]
    },
  )
