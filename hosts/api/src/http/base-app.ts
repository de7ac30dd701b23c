import express, { type Express } from 'express'
import type { RequestEnd } from './context.ts'
import { requestContext } from './context.ts'
import { framing } from './framing.ts'

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
  app.use(framing)
  return app
}
