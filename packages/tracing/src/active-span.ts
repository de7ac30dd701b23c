import { context, ROOT_CONTEXT, type Span, trace, TraceFlags } from '@opentelemetry/api'

/**
 * The span of the work under way, which may have ended when the work outlives its request. Undefined without an SDK,
 * and in work whose trace is not sampled: its spans are never entered into the context.
 */
export function activeSpan(): Span | undefined {
  const span = trace.getActiveSpan()
  if (span === undefined) return undefined
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : span
}

/** The id of the trace that records the work under way, in 32 hex digits. */
export const activeTraceId = (): string | undefined => activeSpan()?.spanContext().traceId

/**
 * Runs work outside the active trace: what other work shares, such as the timer of a batch, and requests and tasks
 * that begin in the context of an earlier one, such as the next request on a connection.
 */
export const untraced = <T>(run: () => T): T =>
  trace.getActiveSpan() === undefined ? run() : context.with(ROOT_CONTEXT, run)
