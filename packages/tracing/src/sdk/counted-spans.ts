import { ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'

/** Spans of this process that no collector has received, from its start on. */
export type LostSpans = {
  /** Dropped because the queue was full. */
  readonly dropped: number
  /** Sent and not accepted. */
  readonly failed: number
}

/** The most spans that wait for the collector. */
export const queuedSpansMax = 2_048

export type CountedSpans = {
  /** Counts what the exporter takes from the queue, and what fails. */
  readonly exporter: SpanExporter
  /** Drops and counts the spans that the queue has no place for. */
  bounded(queue: SpanProcessor): SpanProcessor
  /** Counts what has not been accepted yet as failed: the process ends. */
  giveUp(): void
  /** The spans lost up to now. */
  lost(): LostSpans
}

/** Bounds the spans that wait for an exporter, and counts those that are lost. */
export function countedSpans(
  target: SpanExporter,
  report: (lost: LostSpans) => void,
  queuedMax: number = queuedSpansMax,
): CountedSpans {
  let [queued, sending, dropped, failed, reported] = [0, 0, 0, 0, 0]
  const reportNew = (): void => {
    if (dropped + failed === reported) return
    reported = dropped + failed
    report({ dropped, failed })
  }
  return {
    exporter: {
      export: (spans, done) => {
        queued -= spans.length
        sending += spans.length
        target.export(spans, (result) => {
          sending -= spans.length
          if (result.code !== ExportResultCode.SUCCESS) failed += spans.length
          reportNew()
          done(result)
        })
      },
      shutdown: () => target.shutdown(),
    },
    bounded: (queue) => ({
      onStart: () => undefined,
      onEnd: (span: ReadableSpan) => {
        if (queued >= queuedMax) dropped += 1
        else {
          queued += 1
          queue.onEnd(span)
        }
      },
      forceFlush: () => queue.forceFlush(),
      shutdown: () => queue.shutdown(),
    }),
    lost: () => ({ dropped, failed }),
    giveUp: () => {
      failed += queued + sending
      queued = sending = 0
      reportNew()
    },
  }
}
