import type { Health, Operations, Readiness } from '../openapi/openapi.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** About the service itself. */
export type Service = {
  /** Whether the process is alive. */
  health(options?: CallOptions): Promise<Health>
  /** Whether requests can be served; `not_ready` is an answer, too. */
  readiness(options?: CallOptions): Promise<Readiness>
  /** The OpenAPI document. */
  openApi(options?: CallOptions): Promise<Operations['getOpenApi']['answer']>
}

export const service = (send: Send): Service => ({
  health: (options) => send('getHealth', {}, options),
  readiness: (options) => send('getReadiness', {}, { ...options, accepts: 503 }),
  openApi: (options) => send('getOpenApi', {}, options),
})
