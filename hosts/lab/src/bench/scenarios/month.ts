import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeTenants } from '../data/tenants-and-quotes.ts'
import { runWebhookLoad } from '../load/webhook-load.ts'
import type { BenchDatabase } from '../postgres/bench-database.ts'
import { percentile, rounded } from '../report/statistics.ts'

export type DroppedMonth = {
  /** Time of the transaction that drops a month of ended deliveries. Other sessions wait for no longer than this. */
  readonly month_drop_ms: number
  /** p99 from the commit of an event to its arrival, without and with the drop. */
  readonly delivery_p99_ms: number
  readonly delivery_p99_ms_with_drop: number
  /** Peak resident memory of a worker that delivers from the large database, over that from the small one. */
  readonly worker_rss_ratio: number
  readonly missed: number
}

/** Runs of a month in which a million events were delivered. */
const runs = 125_000
const load = { endpoints: 200, events: 6_000, eventsPerSecond: 300 }

/** Drops a month's partition of the large database by the statements of `docs/operations/database.md`, while events are delivered. */
export async function dropMonthUnderLoad(
  { small, large: { db, owner, url } }: Readonly<Record<'small' | 'large', BenchDatabase>>,
  say: (line: string) => void,
): Promise<DroppedMonth> {
  say('delivering from the small database …')
  const ofSmall = await runWebhookLoad(small.db, small.url, await makeTenants(small.db, 100), load)
  const tenants = await makeTenants(db, 100)
  await makeMonth(db)
  say('delivering …')
  const without = await runWebhookLoad(db, url, tenants, load)
  const halfMs = (load.events * 500) / load.eventsPerSecond
  say('delivering, and dropping a month …')
  const [during, ms] = await Promise.all([
    runWebhookLoad(db, url, tenants, load),
    pause(halfMs).then(() => dropMonth(owner)),
  ])
  const p99 = (latenciesMs: readonly number[]): number => rounded(percentile(latenciesMs, 0.99), 1)
  return {
    month_drop_ms: rounded(ms, 1),
    delivery_p99_ms: p99(without.latenciesMs),
    delivery_p99_ms_with_drop: p99(during.latenciesMs),
    worker_rss_ratio: rounded(without.workerRssMb / ofSmall.workerRssMb),
    missed: ofSmall.missed + without.missed + during.missed,
  }
}

async function makeMonth(db: pg.Client): Promise<void> {
  await db.query(
    `create table quipu.delivered_run_2020_01 partition of quipu.delivered_run
     for values from ('2020-01-01') to ('2020-02-01')`,
  )
  await db.query(
    `insert into quipu.delivered_run (first_at, first_seq, ended_at, endpoint_id, part, tenant_id, event_ids,
       attempted_at, status_codes, latencies_ms)
     select at, n, at, 'we_' || n % 200, 0, 'ten_' || n % 200, array_fill(uuidv7(), array[8]), array_fill(at, array[8]),
       array_fill(200, array[8]), array_fill(5, array[8])
     from (select n, '2020-01-01'::timestamptz + n * interval '10 seconds' as at from generate_series(1, $1::int) n) m`,
    [runs],
  )
}

/** @returns its duration in ms, from the lock to the commit */
async function dropMonth(owner: string): Promise<number> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    for (;;) {
      const start = performance.now()
      try {
        await client.query(
          `begin; set local role quipu_owner; set local lock_timeout = '1s';
           drop table quipu.delivered_run_2020_01; commit`,
        )
        return performance.now() - start
      } catch (error) {
        await client.query('rollback')
        if (!(error instanceof pg.DatabaseError) || error.code !== '55P03') throw error
      }
    }
  } finally {
    await client.end()
  }
}
