import { type Timer } from '@quipu/core'
import type { RestoreStore } from '@quipu/core/operator'
import { withTimeout } from '@quipu/core/adapter'

export type ReadinessPorts = {
  /** False once the process is stopping. */
  readonly isServing: () => boolean
  /** Milliseconds that the process's clock is ahead of the database's. */
  readonly clockAheadMs: () => number
  readonly pingDatabase: () => Promise<unknown>
  /** Whether payments begin. */
  readonly readGate: RestoreStore['gate']
  readonly timer: Timer
}

/** Whether each check of readiness passes, and whether payments begin: `unknown` when that could not be read in time. */
export type Readiness = {
  readonly checks: Readonly<Record<'serving' | 'database' | 'clock', boolean>>
  readonly payments: 'begin' | 'stopped' | 'halted' | 'unknown'
}

/** A slower answer of the database counts as none. */
const pingTimeoutMs = 2_000

/** From this difference to the database's clock on the process is not ready. */
const clockApartMs = 60_000

/**
 * The checks of every process of the service before it calls itself ready. Halted payments are no such check: reads,
 * settlements and the operators who end the halt need the process.
 */
export async function checkReadiness(ports: ReadinessPorts): Promise<Readiness> {
  const [database, payments] = await Promise.all([isDatabaseUp(ports), paymentsOf(ports)])
  const clock = Math.abs(ports.clockAheadMs()) < clockApartMs
  return { checks: { serving: ports.isServing(), database, clock }, payments }
}

async function paymentsOf({ readGate, timer }: ReadinessPorts): Promise<Readiness['payments']> {
  const read = readGate().then(
    ({ stop, halt, unchecked }) => {
      if (halt !== null || unchecked !== null) return 'halted'
      return stop === null ? 'begin' : 'stopped'
    },
    () => undefined,
  )
  return (await withTimeout(timer, pingTimeoutMs, read)) ?? 'unknown'
}

async function isDatabaseUp({ pingDatabase, timer }: ReadinessPorts): Promise<boolean> {
  const answered = pingDatabase().then(
    () => true,
    () => false,
  )
  return (await withTimeout(timer, pingTimeoutMs, answered)) ?? false
}
