import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { register } from './sdk/register.ts'
import { samplingOf } from './sdk/sampler.ts'

/** A finished span. */
export type RecordedSpan = {
  readonly name: string
  readonly scope: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  /** The spans of other traces that it names. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly isError: boolean
  readonly events: readonly string[]
}

/** Spans that are recorded in memory, for tests. */
export type RecordedSpans = {
  /** All finished spans, in the order of their ends. */
  spans(): readonly RecordedSpan[]
  clear(): void
  stop(): Promise<void>
}

/** Records the spans of this process in memory. @param ratio  the share of root traces that are sampled */
export function recordSpans(ratio = 1): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const registered = register(
    { spanProcessors: [new SimpleSpanProcessor({ exporter })] },
    samplingOf({ sampler: 'parentbased_traceidratio', ratio }),
  )
  if (!registered) throw new Error('this process records spans already')
  return {
    spans: () => exporter.getFinishedSpans().map(recorded),
    clear: () => exporter.reset(),
    stop: registered.stop,
  }
}

const recorded = (span: ReadableSpan): RecordedSpan => ({
  name: span.name,
  scope: span.instrumentationScope.name,
  traceId: span.spanContext().traceId,
  spanId: span.spanContext().spanId,
  parentId: span.parentSpanContext?.spanId,
  links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
  attributes: span.attributes,
  isError: span.status.code === SpanStatusCode.ERROR,
  events: span.events.map(({ name }) => name),
})
