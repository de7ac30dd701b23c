import type { Authenticate, EndpointPolicy } from '@quipu/core'
import type { IRouter, RequestHandler } from 'express'

/** The routes and documents that another host adds to the public API or replaces in it. */
export type Extension = {
  /** Replaces the lookup of keys in the stores. */
  readonly authenticate?: Authenticate
  /** Run in this order before authentication. */
  readonly before?: readonly RequestHandler[]
  /** Binds routes behind the same authentication. */
  readonly routes?: (router: IRouter) => void
  /** Whether the OpenAPI document is the example server's. */
  readonly isExample?: boolean
  /** Left out: the core's default. The document states it. */
  readonly endpointPolicy?: EndpointPolicy
}
