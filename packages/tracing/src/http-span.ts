import { context, propagation, type Span, SpanStatusCode } from '@opentelemetry/api'
import { activeSpan } from './active-span.ts'
import { inSpan, startSpan } from './child-span.ts'

/** A request to another system, as its span shows it. */
export type HttpRequestFacts = {
  readonly scope: string
  readonly method: string
  /** Its host and port are recorded, and nothing else: a path or query may contain ids or secrets. */
  readonly url: URL
  /** The path with placeholders, such as `/v1/payments/{reference}`. Left out: it is not recorded. */
  readonly template?: string | undefined
  readonly attributes?: Readonly<Record<string, string | number>>
}

/** How a request ended: with a status, or without a complete answer. */
export type HttpRequestEnd = {
  readonly status?: number | undefined
  /** A code such as `ECONNREFUSED`. */
  readonly error?: string | undefined
}

/** The headers that carry the trace to the other system. */
export type TraceHeaders = Readonly<Record<string, string>>

/**
 * Sends a request in a child of the active span.
 *
 * @param send  sends these headers, too; undefined when no trace records the request
 * @param endOf  how a request ended whose `send` has resolved
 */
export function inHttpSpan<T>(
  facts: HttpRequestFacts,
  send: (headers: TraceHeaders | undefined) => Promise<T>,
  endOf: (result: T) => HttpRequestEnd,
): Promise<T> {
  if (activeSpan() === undefined) return send(undefined)
  return inSpan(startHttpSpan(facts), async (span) => {
    const headers: Record<string, string> = {}
    propagation.inject(context.active(), headers)
    const result = await send(headers)
    recordEnd(span, endOf(result))
    return result
  })
}

function startHttpSpan({ scope, method, url, template, attributes = {} }: HttpRequestFacts): Span {
  return startSpan({
    scope,
    name: template === undefined ? method : `${method} ${template}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': Number(url.port || defaultPorts[url.protocol]),
      ...(template !== undefined && { 'url.template': template }),
      ...attributes,
    },
  })
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

function recordEnd(span: Span, { status, error }: HttpRequestEnd): void {
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  const type = error ?? (status !== undefined && status >= 400 ? String(status) : undefined)
  if (type === undefined) return
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
