import { randomUUID } from 'node:crypto'
import type { Operator } from '@quipu/core/operator'
import { type CallerTrace, type ServerSpan, startServerSpan, untraced } from '@quipu/tracing'
import type { Request, RequestHandler, Response } from 'express'
import { addressOf } from './limit/source-address.ts'
import { redactId, redactPath } from './redact.ts'

/** The data of a request that its log line needs. */
export type Context = {
  readonly requestId: string
  /** The same for the log: redacted when it contains a key. */
  readonly loggedId: string
  /** The trace that records the request, if one does. */
  readonly traceId: string | undefined
  /** The address of the client, as the trusted proxies say. */
  readonly address: string
  /** The tenant of a public request and the id of its API key, once authenticated. */
  tenantId: string | undefined
  keyId: string | undefined
  /** The payout that the request created or repeated. */
  payoutId: string | undefined
  /** The person who sent an operator's request, once authenticated. */
  operator: Operator | undefined
  /** The code of an error answer. */
  code: string | undefined
  /** SHA-256 of the body of a tenant's request, and of the answer. */
  bodyDigest: string | undefined
  answerDigest: string | undefined
  /** The dependency that was unavailable, when the request failed for that reason. */
  cause: string | undefined
}

export const contextOf = (res: Response): Context => res.locals['context'] as Context

const validId = /^[A-Za-z0-9_-]{1,64}$/

/** The caller's id if it sent a valid one, else a new one. */
function requestIdOf(req: Pick<Request, 'headers'>): string {
  const sent = req.headers['x-request-id']
  return typeof sent === 'string' && validId.test(sent) ? sent : randomUUID()
}

const isSent = ({ headers }: Pick<Request, 'headers'>, id: string): boolean => headers['x-request-id'] === id

export type RequestEnd = Context & {
  readonly method: string
  /** Redacted. */
  readonly path: string
  /** The pattern that the path matched, such as `/v1/payouts/:id`. */
  readonly route: string | undefined
  /** The method as the route has it, `GET` for `HEAD`; `other` for any that the route does not have. */
  readonly routeMethod: string
  readonly status: number
  readonly durationMs: number
  /** The caller disconnected before the answer was complete. */
  readonly aborted: boolean
}

/** Gives each request an id and, if its trace is sampled, a span. Calls `onEnd` once when the request has ended. */
export const requestContext =
  (callerTrace: CallerTrace, onEnd: (end: RequestEnd) => void): RequestHandler =>
  (req, res, next) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(req)
    const span = isProbe(req.path) ? undefined : startServerSpan('@quipu/api', req.headers, callerTrace)
    const context: Context = {
      requestId,
      loggedId: isSent(req, requestId) ? redactId(requestId, req.headers) : requestId,
      traceId: span?.traceId,
      address: addressOf(req),
      tenantId: undefined,
      keyId: undefined,
      payoutId: undefined,
      operator: undefined,
      code: undefined,
      bodyDigest: undefined,
      answerDigest: undefined,
      cause: undefined,
    }
    res.locals['context'] = context
    res.setHeader('X-Request-Id', requestId)
    res.setHeader('Cache-Control', 'no-store') // A route may override it.
    const { method, headers, path: sentPath } = req
    res.on('close', () => {
      const durationMs = performance.now() - startedAt
      const aborted = !res.writableFinished
      const { path: route, methods = everyMethod } = (req.route ?? {}) as Partial<Route>
      const routeMethod = routeMethodOf(method, methods)
      const path = redactPath(sentPath, headers)
      const request = { method, path, route, routeMethod, status: res.statusCode }
      const end = { ...context, ...request, durationMs, aborted }
      untraced(() => onEnd(end)) // The event may come in the context of another request.
      if (span) endSpan(span, end)
    })
    if (span) span.run(next)
    else untraced(next)
  }

/** The parts of Express's route: its methods in lower case. */
type Route = { readonly path: string; readonly methods: Readonly<Record<string, boolean>> }

/** The record of a request that met no route. */
const everyMethod: Route['methods'] = { get: true, post: true, patch: true, delete: true }

function routeMethodOf(method: string, methods: Route['methods']): string {
  const served = method === 'HEAD' ? 'GET' : method
  return methods[served.toLowerCase()] === true ? served : 'other'
}

/** Probes and scrapes are many and alike. */
const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz' || path.endsWith('/metrics')

function endSpan(span: ServerSpan, end: RequestEnd): void {
  const { method, route, status, path, loggedId, tenantId, payoutId, code } = end
  span.end({
    method,
    route,
    status,
    attributes: {
      'url.path': path.slice(0, 200),
      'quipu.request.id': loggedId,
      ...(tenantId !== undefined && { 'quipu.tenant.id': tenantId }),
      ...(payoutId !== undefined && { 'quipu.payout.id': payoutId }),
      ...(code !== undefined && { 'quipu.error.code': code }),
    },
  })
}
