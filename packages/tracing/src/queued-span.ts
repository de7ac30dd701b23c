import type { Span } from '@opentelemetry/api'
import { activeSpan } from './active-span.ts'
import { recordError, type SpanFacts, startSpan } from './child-span.ts'

/** The span of one item that is queued and then written or read together with others. */
export type QueuedSpan = {
  /** Records that the item leaves the queue, in a batch of this many items. */
  started(batchSize: number): void
  end(): void
  fail(error: unknown): void
}

/**
 * Starts a child of the active span for one item of a future batch; undefined without an active span.
 *
 * A batch serves many traces, so it has no span of its own: the span of each item lasts from the queue to the
 * answer, and says when the batch started and how many items it had.
 */
export function queuedSpan(facts: SpanFacts): QueuedSpan | undefined {
  return activeSpan() === undefined ? undefined : queued(startSpan(facts))
}

const queued = (span: Span): QueuedSpan => ({
  started: (batchSize) => {
    span.addEvent('batch started')
    // A batch of one item is none, by the conventions of OpenTelemetry.
    if (batchSize > 1) span.setAttribute('db.operation.batch.size', batchSize)
  },
  end: () => span.end(),
  fail: (error) => {
    recordError(span, error)
    span.end()
  },
})
