import type { Health, Operations, Readiness, ServiceStatus } from '../openapi/openapi.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The state of the service. */
export type Service = {
  /** Whether the process is alive. */
  health(options?: CallOptions): Promise<Health>
  /** Whether the service can serve requests; answers `not_ready` instead of throwing. */
  readiness(options?: CallOptions): Promise<Readiness>
  /** Whether quotes, payments and deposits work, so that a till stops offering to pay. */
  status(options?: CallOptions): Promise<ServiceStatus>
  /** The OpenAPI document. */
  openApi(options?: CallOptions): Promise<Operations['getOpenApi']['answer']>
}

export const service = (send: Send): Service => ({
  health: (options) => send('getHealth', {}, options),
  readiness: (options) => send('getReadiness', {}, { ...options, accepts: 503 }),
  status: (options) => send('getStatus', {}, options),
  openApi: (options) => send('getOpenApi', {}, options),
})
