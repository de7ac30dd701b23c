import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type BareRequestResult, postBare } from '../load/bare-requests.ts'
import { type Child, startChild } from '../process/child.ts'
import { type CpuSource, perUnit, startUsage, treeCpu } from '../report/cpu.ts'
import { makeEndpoints, makeEvents, removeEndpoints } from '../data/endpoints.ts'
import { percentile, warmPerSecond } from '../report/statistics.ts'
import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import type { Arrivals } from '../process/receiver-process.ts'
import { walBytes } from '../postgres/storage.ts'
import { startWorkerProcess } from '../process/start-worker.ts'

export type DeliveryResult = {
  /** Bare signed requests to the same receivers, after the warm-up. */
  readonly bare: BareRequestResult
  /** Deliveries a second, from the claim to the record, after the warm-up. */
  readonly perSecond: number
  /** CPU time of one delivery in µs, after the warm-up. */
  readonly cpuUs: Readonly<Record<'postgres' | 'worker' | 'receiver', number>>
  readonly idle: number
  readonly walBytesPerDelivery: number
  /** From the commit of an event to its arrival, one event at a time. */
  readonly latenciesMs: readonly number[]
  /** Events that did not arrive. */
  readonly missed: number
}

/** `inFlight` is a worker's concurrency for fast endpoints. */
const [origins, perTenant, inFlight, singleEvents] = [16, 800, 400, 60]

export type DeliveryBench = { readonly db: pg.Client; readonly url: string; readonly postgresCpu: CpuSource }

/** Delivers events of these tenants, with one endpoint each, and compares with bare requests. */
export async function measureDeliveries(
  { db, url, postgresCpu }: DeliveryBench,
  tenants: readonly BenchTenant[],
): Promise<DeliveryResult> {
  const receiver = await startChild<Arrivals>('receiver-process', [String(origins)])
  try {
    const targets = receiver.ready.ports.map((port) => `http://127.0.0.1:${port}/ok`)
    const count = tenants.length * perTenant
    const bare = await postBare(targets, count, inFlight, treeCpu(receiver.pid))
    await receiver.request('clear')
    await makeEndpoints(
      db,
      tenants.map((tenant, n) => ({ tenant, url: `${targets[n % targets.length]}/${n}` })),
    )
    for (const tenant of batches(tenants, 10)) await makeEvents(db, tenant, perTenant)
    await skipLedgerCheck(db)
    const worker = await startWorkerProcess(url)
    const { count: cold } = await awaitArrivals(receiver, count / 2)
    const walBefore = await walBytes(db)
    const endUsage = startUsage({ postgres: postgresCpu, worker: treeCpu(worker.pid), receiver: treeCpu(receiver.pid) })
    const { count: all } = await awaitArrivals(receiver, count)
    const usage = endUsage()
    const wal = (await walBytes(db)) - walBefore
    const { arrivals: sent } = await receiver.request('all')
    await receiver.request('clear')
    const latenciesMs = await sendSingly(db, receiver, tenants)
    await worker.stop()
    return {
      bare,
      latenciesMs,
      idle: usage.idle,
      cpuUs: perUnit(usage, all - cold),
      walBytesPerDelivery: wal / (all - cold),
      perSecond: warmPerSecond(sent.map(([, at]) => at)),
      missed: count - sent.length + singleEvents - latenciesMs.length,
    }
  } finally {
    await receiver.stop()
    await removeEndpoints(db)
  }
}

/** Waits until `count` events have arrived, or none has for 5 s. */
async function awaitArrivals(receiver: Child<Arrivals>, count: number): Promise<Arrivals> {
  const stallMs = 5_000
  let [seen, since] = [0, performance.now()]
  for (;;) {
    const arrivals = await receiver.request('count')
    if (arrivals.count !== seen) since = performance.now()
    seen = arrivals.count
    if (seen >= count || performance.now() - since > stallMs) return arrivals
    await pause(20)
  }
}

/** Makes each event after the one before has arrived. @returns the latencies in ms */
async function sendSingly(
  db: pg.Client,
  receiver: Child<Arrivals>,
  tenants: readonly BenchTenant[],
): Promise<readonly number[]> {
  const latencies: number[] = []
  for (const tenant of tenants.slice(0, singleEvents)) {
    const [event] = await makeEvents(db, [tenant], 1)
    if (!event) continue
    await pause(40 + (latencies.length % 7) * 3) // Not in step with the worker's polling.
    for (let polls = 0; polls < 100; polls++) {
      const { arrivals } = await receiver.request('all')
      const arrival = arrivals.find(([name]) => name.endsWith(event.id))
      if (arrival) latencies.push(arrival[1] - event.at)
      if (arrival) break
      await pause(10)
    }
  }
  return latencies
}

/** Marks every wallet as checked, or the worker would check them during the measurement. */
const skipLedgerCheck = (db: pg.Client) => db.query('update quipu.ledger_check set checked_at = clock_timestamp()')

const batches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))

export const latencyP50 = ({ latenciesMs }: DeliveryResult): number => percentile(latenciesMs, 0.5)
