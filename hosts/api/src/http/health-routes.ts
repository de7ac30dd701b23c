import { type Timer, withTimeout } from '@quipu/core'
import { readinessToJson } from '@quipu/wire'
import type { IRouter } from 'express'
import { endpoint } from './endpoint.ts'
import { bind } from './routing.ts'

export type Health = {
  /** False once the process has been told to stop. */
  readonly isServing: () => boolean
  /** How far the process's clock is ahead of the database's. */
  readonly clockAheadMs: () => number
  readonly pingDatabase: () => Promise<unknown>
  readonly timer: Timer
}

/** How long the database may take to say that it is there. */
const pingMs = 2_000

/** A clock that is this far from the database's is broken. @source assumed */
const clockApartMs = 60_000

/** Without a key: `/healthz`, the process is alive; `/readyz`, it can do its work. */
export function healthRoutes(router: IRouter, health: Health): void {
  bind(router, '/healthz', {
    get: endpoint({ handle: () => ({ status: 200, json: { status: 'ok' } }) }),
  })
  bind(router, '/readyz', {
    get: endpoint({
      async handle() {
        const database = await isThere(health)
        const serving = health.isServing()
        const clock = Math.abs(health.clockAheadMs()) < clockApartMs
        const readiness = readinessToJson({ serving, database, clock })
        if (readiness.status === 'ready') return { status: 200, json: readiness }
        return { status: 503, json: readiness, headers: { 'Retry-After': '1' } }
      },
    }),
  })
}

async function isThere({ pingDatabase, timer }: Health): Promise<boolean> {
  const answered = pingDatabase().then(
    () => true,
    () => false,
  )
  return (await withTimeout(timer, pingMs, answered)) ?? false
}
