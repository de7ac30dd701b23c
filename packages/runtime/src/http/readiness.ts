import { type Timer } from '@quipu/core'
import { withTimeout } from '@quipu/core/adapter'

export type ReadinessPorts = {
  /** False once the process is stopping. */
  readonly isServing: () => boolean
  /** Milliseconds that the process's clock is ahead of the database's. */
  readonly clockAheadMs: () => number
  readonly pingDatabase: () => Promise<unknown>
  readonly timer: Timer
}

/** Whether each check of readiness passes. */
export type Readiness = Readonly<Record<'serving' | 'database' | 'clock', boolean>>

/** A slower answer of the database counts as none. */
const pingTimeoutMs = 2_000

/** From this difference to the database's clock on the process is not ready. @source assumed */
const clockApartMs = 60_000

/** What every process of the service checks before it calls itself ready. */
export async function checkReadiness(ports: ReadinessPorts): Promise<Readiness> {
  const database = await isDatabaseUp(ports)
  const clock = Math.abs(ports.clockAheadMs()) < clockApartMs
  return { serving: ports.isServing(), database, clock }
}

async function isDatabaseUp({ pingDatabase, timer }: ReadinessPorts): Promise<boolean> {
  const answered = pingDatabase().then(
    () => true,
    () => false,
  )
  return (await withTimeout(timer, pingTimeoutMs, answered)) ?? false
}
