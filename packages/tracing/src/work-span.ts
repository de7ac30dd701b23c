import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { untraced } from './active-span.ts'
import { inSpan, type SpanFacts, spanKinds } from './child-span.ts'
import { spanContextOf } from './stored-trace.ts'

/**
 * Runs a unit of work that no request waits for, such as an attempt of a delivery, in a span.
 *
 * @param traceparent  the stored trace that the work continues; without one the sampler decides about a new trace
 */
export function inWorkSpan<T>(
  { scope, name, kind, attributes = {} }: SpanFacts,
  traceparent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const stored = spanContextOf(traceparent)
  const parent = stored ? trace.setSpanContext(ROOT_CONTEXT, stored) : ROOT_CONTEXT
  const span = trace.getTracer(scope).startSpan(name, { kind: spanKinds[kind] }, parent)
  if (!span.isRecording()) return untraced(work)
  span.setAttributes(attributes)
  return context.with(ROOT_CONTEXT, () => inSpan(span, work))
}
