import { checkReadiness, type ReadinessPorts } from '@quipu/runtime'
import { readinessToJson } from '@quipu/wire'
import type { IRouter } from 'express'
import { endpoint } from './endpoint.ts'
import { bind } from './routing.ts'

/** Probes without a key: `/healthz` for liveness, `/readyz` for readiness. */
export function healthRoutes(router: IRouter, health: ReadinessPorts): void {
  bind(router, '/healthz', { get: endpoint({ handle: () => ({ status: 200, json: { status: 'ok' } }) }) })
  bind(router, '/readyz', {
    get: endpoint({
      async handle() {
        const { checks, payments } = await checkReadiness(health)
        const readiness = readinessToJson(checks, payments)
        if (readiness.status === 'ready') return { status: 200, json: readiness }
        return { status: 503, json: readiness, headers: { 'Retry-After': '1' } }
      },
    }),
  })
}
