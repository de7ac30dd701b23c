import { context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { activeSpan, untraced } from './active-span.ts'
import { inSpan, type SpanFacts, spanKinds } from './child-span.ts'
import { spanContextOf } from './stored-trace.ts'

/**
 * Runs a unit of work that no request waits for, such as an attempt of a delivery, in a span. Links the active span,
 * such as that of a message that started the work.
 *
 * @param traceparent  the stored trace that the work continues; without one the sampler decides about a new trace
 */
export function inWorkSpan<T>(
  { scope, name, kind, attributes = {} }: SpanFacts,
  traceparent: string | undefined,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const stored = spanContextOf(traceparent)
  const parent = stored ? trace.setSpanContext(ROOT_CONTEXT, stored) : ROOT_CONTEXT
  const span = trace.getTracer(scope).startSpan(name, { kind: spanKinds[kind] }, parent)
  if (!span.isRecording()) return untraced(() => work(undefined))
  span.setAttributes(attributes)
  const starting = activeSpan()?.spanContext()
  if (starting && starting.traceId !== span.spanContext().traceId) span.addLink({ context: starting })
  return context.with(ROOT_CONTEXT, () => inSpan(span, work))
}
