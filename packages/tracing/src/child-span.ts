import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { activeSpan } from './active-span.ts'

/** The attributes of a span before its work begins. */
export type SpanFacts = {
  /** The package that records it, such as `@quipu/postgres`. */
  readonly scope: string
  /** Few values: never an id. */
  readonly name: string
  readonly kind: 'client' | 'consumer' | 'internal' | 'producer'
  /** Never a secret, a QR's content or an amount. */
  readonly attributes?: Attributes
}

/** Runs work in a child of the active span, and records how it ended. Without an active span it runs the work alone. */
export function inChildSpan<T>(facts: SpanFacts, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  if (activeSpan() === undefined) return work(undefined)
  return inSpan(startSpan(facts), work)
}

/** A child of the active span. The caller ends it. */
export const startSpan = ({ scope, name, kind, attributes = {} }: SpanFacts): Span =>
  trace.getTracer(scope).startSpan(name, { kind: spanKinds[kind], attributes })

/** The kinds by the names of the conventions. */
export const spanKinds: Readonly<Record<SpanFacts['kind'], SpanKind>> = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
}

/** Runs work in a span, and ends the span when the work has ended. */
export async function inSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work, undefined, span)
  } catch (error) {
    recordError(span, error)
    throw error
  } finally {
    span.end()
  }
}

/**
 * Marks a span as failed. Records the error's code or name; its message may contain data, and is in the log line
 * with the same `trace_id`.
 */
export function recordError(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Such as `ECONNREFUSED`, an SQLSTATE, or `Unavailable`. The code of a cause comes first. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  if (error.cause instanceof Error && 'code' in error.cause) return errorType(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
