import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { redactId, redactPath } from './redact.ts'

/** What is known of a request while it is answered, and what its log line says. */
export type Context = {
  readonly requestId: string
  /** The same, for the log: struck out when the caller has sent a key as its id. */
  readonly loggedId: string
  /** The tenant of a public request, once its key is known to be good. */
  tenantId: string | undefined
  /** The name of the operator's token, once it is known to be good. */
  operator: string | undefined
  /** The code of the error that was answered. */
  code: string | undefined
  /** What could not be reached, when that is why the request failed. */
  cause: string | undefined
}

export const contextOf = (res: Response): Context => res.locals['context'] as Context

const ownId = /^[A-Za-z0-9_-]{1,64}$/

/** The caller's own id when it has one, else a new one. */
function requestIdOf(req: Pick<Request, 'headers'>): string {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && ownId.test(given) ? given : randomUUID()
}

const isOwn = ({ headers }: Pick<Request, 'headers'>, id: string): boolean =>
  headers['x-request-id'] === id

export type RequestEnd = Context & {
  readonly method: string
  /** Without keys and secrets. */
  readonly path: string
  /** The pattern that the path met, such as `/v1/payouts/:id`. */
  readonly route: string | undefined
  readonly status: number
  readonly durationMs: number
  /** The caller was gone before the answer was complete. */
  readonly aborted: boolean
}

/** Gives each request its id and tells `onEnd` how it ended, once. */
export const requestContext =
  (onEnd: (end: RequestEnd) => void): RequestHandler =>
  (req, res, next) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(req)
    const context: Context = {
      requestId,
      loggedId: isOwn(req, requestId) ? redactId(requestId, req.headers) : requestId,
      tenantId: undefined,
      operator: undefined,
      code: undefined,
      cause: undefined,
    }
    res.locals['context'] = context
    res.setHeader('X-Request-Id', requestId)
    res.setHeader('Cache-Control', 'no-store') // Unless a route says otherwise: most answers are of money.
    const { method, headers, path: sentPath } = req
    res.on('close', () => {
      const durationMs = performance.now() - startedAt
      const aborted = !res.writableFinished
      const { path: route } = (req.route ?? {}) as { path?: string }
      const path = redactPath(sentPath, headers)
      onEnd({ ...context, method, path, route, status: res.statusCode, durationMs, aborted })
    })
    next()
  }
