import { setTimeout as pause } from 'node:timers/promises'
import type { ReplicatedPostgres } from '@quipu/embedded-postgres'
import { runSql } from '../run/run-sql.ts'
import type { Fault, Plan } from './plan.ts'

/** Time from a second stall to the loss of the primary. */
const lastStallMs = 300

/**
 * Stalls the replication, injects the plan's fault, and leaves it stalled.
 *
 * @param untilAnswered  ends a stall without a fixed length
 */
export async function stall(pair: ReplicatedPostgres, plan: Plan, untilAnswered: () => Promise<void>): Promise<void> {
  const { fault, faultAtMs, stallMs, resumedMs } = plan
  const startedAt = performance.now()
  const until = (ms: number) => pause(Math.max(0, startedAt + ms - performance.now()))
  const injectFaults = async (): Promise<void> => {
    for (const ms of faultAtMs) {
      await until(ms)
      await injections[fault](pair)
    }
  }
  if (fault === 'standby') await pair.standby.kill()
  else pair.replication.stall()
  await Promise.all([injectFaults(), stallMs === null ? untilAnswered() : until(stallMs)])

  if (fault === 'standby') await pair.standby.start()
  if (fault === 'resume') pair.replication.resume()
  if (fault === 'standby' || fault === 'resume') {
    await pair.replication.untilCaughtUp()
    await pause(resumedMs)
    pair.replication.stall()
    await pause(lastStallMs)
  }
}

const nothing = async (): Promise<void> => undefined

/** Each fault, injected once or several times during the stall. */
const injections: Readonly<Record<Fault, (pair: ReplicatedPostgres) => Promise<void>>> = {
  stall: nothing,
  resume: nothing,
  standby: nothing,
  crash: ({ primary }) => primary.crash(),
  restart: async ({ primary }) => {
    await primary.kill()
    await primary.start()
  },
  terminate: ({ primary }) => endWaiting(primary.url, 'pg_terminate_backend'),
  cancel: ({ primary }) => endWaiting(primary.url, 'pg_cancel_backend'),
  cut: async ({ address }) => address.cut(),
}

/** Terminates or cancels every session that waits for the standby. */
async function endWaiting(url: string, by: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
  await runSql(url, `select ${by}(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
}
