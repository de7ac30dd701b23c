import { type SpanContext, TraceFlags } from '@opentelemetry/api'
import { activeSpan } from './active-span.ts'

/** The length of a `traceparent` of version 00. */
export const traceparentLength = 55

/**
 * The active span as the text of a `traceparent` header, to be stored with what later work continues. Undefined
 * when the trace is not sampled, so that nothing is stored for it.
 */
export function activeTraceparent(): string | undefined {
  const span = activeSpan()
  if (span === undefined) return undefined
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-01$/

/** Reverses `activeTraceparent`. Undefined for any other text. */
export function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId] = pattern.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}
