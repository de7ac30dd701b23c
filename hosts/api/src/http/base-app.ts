import express, { type Express, type RequestHandler } from 'express'
import { invalid } from './api-error.ts'
import type { RequestEnd } from './context.ts'
import { requestContext } from './context.ts'

export type BaseSettings = {
  /** How many proxies in front of us are trusted to say where a request comes from. */
  readonly trustedProxies: number
}

/** An Express app without what an API has no use for. */
export function baseApp(
  { trustedProxies }: BaseSettings,
  onEnd: (end: RequestEnd) => void,
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  app.set('trust proxy', trustedProxies)
  app.use(requestContext(onEnd))
  app.use(namesItsHost)
  return app
}

/** @source RFC 9112 §3.2: without it a request of HTTP/1.1 is a 400 */
const namesItsHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host !== undefined || req.httpVersion === '1.0') return next()
  throw invalid([{ field: 'Host', message: 'must be sent, as HTTP/1.1 demands' }])
}
