import type { CallerTrace } from '@quipu/tracing'
import express, { type Express } from 'express'
import { requestContext, type RequestEnd } from './context.ts'
import { framing } from './framing.ts'

export type BaseSettings = {
  /** Number of proxies in front of the API whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number
  /** Where errors link to their explanation; undefined: they have no link. */
  readonly docsUrl: string | undefined
}

/** An Express app without the features that an API does not need. */
export function baseApp(
  { trustedProxies, docsUrl }: BaseSettings,
  callerTrace: CallerTrace,
  onEnd: (end: RequestEnd) => void,
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  app.set('trust proxy', trustedProxies)
  app.locals['docsUrl'] = docsUrl
  app.use(requestContext(callerTrace, onEnd))
  app.use(framing)
  return app
}
