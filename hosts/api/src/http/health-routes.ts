import type { Timer } from '@quipu/core'
import { withTimeout } from '@quipu/core/adapter'
import { readinessToJson } from '@quipu/wire'
import type { IRouter } from 'express'
import { endpoint } from './endpoint.ts'
import { bind } from './routing.ts'

export type Health = {
  /** False once the process is stopping. */
  readonly isServing: () => boolean
  /** Milliseconds that the process's clock is ahead of the database's. */
  readonly clockAheadMs: () => number
  readonly pingDatabase: () => Promise<unknown>
  readonly timer: Timer
}

/** A slower answer of the database counts as none. */
const pingTimeoutMs = 2_000

/** From this difference to the database's clock on the process is not ready. @source assumed */
const clockApartMs = 60_000

/** Probes without a key: `/healthz` for liveness, `/readyz` for readiness. */
export function healthRoutes(router: IRouter, health: Health): void {
  bind(router, '/healthz', {
    get: endpoint({ handle: () => ({ status: 200, json: { status: 'ok' } }) }),
  })
  bind(router, '/readyz', {
    get: endpoint({
      async handle() {
        const database = await isDatabaseUp(health)
        const serving = health.isServing()
        const clock = Math.abs(health.clockAheadMs()) < clockApartMs
        const readiness = readinessToJson({ serving, database, clock })
        if (readiness.status === 'ready') return { status: 200, json: readiness }
        return { status: 503, json: readiness, headers: { 'Retry-After': '1' } }
      },
    }),
  })
}

async function isDatabaseUp({ pingDatabase, timer }: Health): Promise<boolean> {
  const answered = pingDatabase().then(
    () => true,
    () => false,
  )
  return (await withTimeout(timer, pingTimeoutMs, answered)) ?? false
}
