import type { Authenticate, EndpointPolicy } from '@quipu/core'
import type { IRouter, RequestHandler } from 'express'

/** What another host adds to the public API, or puts in place of its own. */
export type Extension = {
  /** Left out: keys are looked up in the stores. */
  readonly authenticate?: Authenticate
  /** Come first, in this order, when a request has its id and nothing else. */
  readonly before?: readonly RequestHandler[]
  /** Routes behind the same authentication. */
  readonly routes?: (router: IRouter) => void
  /** Whether the document has what only the example server has. */
  readonly isExample?: boolean
  /** Left out: the core's default. The document states it. */
  readonly endpointPolicy?: EndpointPolicy
}
