import { setTimeout as pause } from 'node:timers/promises'
import type { ReplicatedPostgres } from '@quipu/embedded-postgres'
import pg from 'pg'
import type { Fault, Plan } from './plan.fixture.ts'

/** Between the last stall of two and the loss of the primary. */
const lastStallMs = 300

/**
 * Stalls the replication, lets the plan's fault happen, and leaves it stalled.
 *
 * @param untilAnswered  what ends a stall that has no length
 */
export async function stall(
  pair: ReplicatedPostgres,
  plan: Plan,
  untilAnswered: () => Promise<void>,
): Promise<void> {
  const { fault, faultAtMs, stallMs, resumedMs } = plan
  const began = performance.now()
  const until = (ms: number) => pause(Math.max(0, began + ms - performance.now()))
  const happen = async (): Promise<void> => {
    for (const ms of faultAtMs) {
      await until(ms)
      await happenings[fault](pair)
    }
  }
  if (fault === 'standby') await pair.standby.kill()
  else pair.replication.stall()
  await Promise.all([happen(), stallMs === null ? untilAnswered() : until(stallMs)])

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

/** What happens, maybe several times, while the replication is stalled. */
const happenings: Readonly<Record<Fault, (pair: ReplicatedPostgres) => Promise<void>>> = {
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

/** Ends, or cancels, every session that waits for the standby. */
async function endWaiting(
  url: string,
  by: 'pg_terminate_backend' | 'pg_cancel_backend',
): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`select ${by}(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  await client.end()
}
