import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * The meaning of a caller's `traceparent`. `trusted`: the request continues the caller's trace, and is recorded if the
 * caller records it. `linked`: it begins a trace of its own, about which the sampler decides, with a link to the
 * caller's span.
 */
export type CallerTrace = 'trusted' | 'linked'

/** The span of a request that this process answers. */
export type ServerSpan = {
  readonly traceId: string
  /** Runs the request's handlers in the span. */
  run(handle: () => void): void
  end(end: RequestSpanEnd): void
}

/** How a request ended. */
export type RequestSpanEnd = {
  readonly method: string
  /** The pattern that the path matched. */
  readonly route: string | undefined
  readonly status: number
  readonly attributes: Attributes
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const linked: SpanOptions = { kind: SpanKind.SERVER, root: true }
const trusted: SpanOptions = { kind: SpanKind.SERVER }

/** Starts the span of a request; undefined when its trace is not sampled. */
export function startServerSpan(scope: string, headers: Headers, callerTrace: CallerTrace): ServerSpan | undefined {
  const isTrusted = callerTrace === 'trusted'
  const parent = isTrusted ? callerContext(headers) : ROOT_CONTEXT
  const span = trace.getTracer(scope).startSpan('HTTP', isTrusted ? trusted : linked, parent)
  if (!span.isRecording()) return undefined
  if (!isTrusted) linkCaller(span, headers)
  return {
    traceId: span.spanContext().traceId,
    run: (handle) => context.with(trace.setSpan(ROOT_CONTEXT, span), handle),
    end: (end) => endServerSpan(span, end),
  }
}

const callerContext = (headers: Headers) =>
  headers['traceparent'] === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers)

/** The caller's `tracestate` stays in the link: it is not passed on. */
function linkCaller(span: Span, headers: Headers): void {
  const caller = trace.getSpanContext(callerContext(headers))
  if (caller) span.addLink({ context: caller })
}

function endServerSpan(span: Span, { method, route, status, attributes }: RequestSpanEnd): void {
  span.updateName(route === undefined ? method : `${method} ${route}`)
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    ...(route !== undefined && { 'http.route': route }),
    ...attributes,
  })
  if (status >= 500) {
    span.setAttribute('error.type', String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
