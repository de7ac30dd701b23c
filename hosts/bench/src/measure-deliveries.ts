import { setTimeout as pause } from 'node:timers/promises'
import { type ClaimQuery, signWebhook } from '@quipu/core'
import { postgresStores } from '@quipu/postgres'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { Agent, request } from 'undici'
import { type Child, startChild } from './child.ts'
import { makeEndpoints, makeEvents, removeEndpoints } from './endpoints.ts'
import { percentile } from './figures.ts'
import type { BenchTenant } from './fixtures.ts'
import { completedPayout } from './payouts.ts'
import type { Arrivals } from './receiver-process.ts'
import { startWorkerProcess } from './worker.ts'

export type DeliveryFigures = {
  /** Bare POSTs a second, signed, to the same receivers, once who sends them has warmed up. */
  readonly barePerSecond: number
  /** Deliveries a second, from the database to its record, once the worker has. */
  readonly perSecond: number
  readonly claimsPerSecond: { readonly by50: number; readonly by500: number }
  /** From an event's commit to its arrival, when there is hardly one at a time. */
  readonly latenciesMs: readonly number[]
  /** Events that did not arrive. */
  readonly missed: number
}

const [origins, perTenant, inFlight, quietEvents] = [16, 400, 64, 60]

/** Delivers events of these tenants, one endpoint each, and compares with sending nothing but requests. */
export async function measureDeliveries(
  db: pg.Client,
  url: string,
  tenants: readonly BenchTenant[],
): Promise<DeliveryFigures> {
  const receiver = await startChild<Arrivals>('receiver-process', [String(origins)])
  try {
    const targets = receiver.ready.ports.map((port) => `http://127.0.0.1:${port}/ok`)
    const count = tenants.length * perTenant
    const barePerSecond = await postBare(targets, count)
    await receiver.ask('clear')
    await makeEndpoints(
      db,
      tenants.map((tenant, n) => ({ tenant, url: `${targets[n % targets.length]}/${n}` })),
    )
    const claimsPerSecond = {
      by50: await claim(db, url, tenants, 50),
      by500: await claim(db, url, tenants, 500),
    }
    for (const tenant of batches(tenants, 10)) await makeEvents(db, tenant, perTenant)
    const worker = await startWorkerProcess(url)
    const sent = await arrived(receiver, count)
    await receiver.ask('clear')
    const latenciesMs = await sendQuietly(db, receiver, tenants)
    await worker.stop()
    return {
      ...{ barePerSecond, claimsPerSecond, latenciesMs },
      perSecond: warmPerSecond(sent.map(([, at]) => at)),
      missed: count - sent.length + quietEvents - latenciesMs.length,
    }
  } finally {
    await receiver.stop()
    await removeEndpoints(db)
  }
}

/** How many a second there were from the first quarter of these instants on. */
function warmPerSecond(instantsMs: readonly number[]): number {
  const warm = instantsMs.toSorted((a, b) => a - b).slice(instantsMs.length / 4)
  return (warm.length * 1_000) / ((warm.at(-1) ?? 0) - (warm[0] ?? 0))
}

/** Waits until so many have arrived, or none has for a while. */
async function arrived(receiver: Child<Arrivals>, count: number): Promise<Arrivals['arrivals']> {
  const patienceMs = 5_000
  let [seen, since] = [0, performance.now()]
  while (performance.now() - since < patienceMs) {
    const { requests } = await receiver.ask('count')
    if (requests !== seen) since = performance.now()
    seen = requests
    const { arrivals } = seen >= count ? await receiver.ask('all') : { arrivals: [] }
    if (arrivals.length >= count) return arrivals
    await pause(100)
  }
  return (await receiver.ask('all')).arrivals
}

/** One event at a time, each after the one before has arrived. @returns how long each took, in ms */
async function sendQuietly(
  db: pg.Client,
  receiver: Child<Arrivals>,
  tenants: readonly BenchTenant[],
): Promise<readonly number[]> {
  const latencies: number[] = []
  for (const tenant of tenants.slice(0, quietEvents)) {
    const [event] = await makeEvents(db, [tenant], 1)
    if (!event) continue
    await pause(40 + (latencies.length % 7) * 3) // In no step with the worker's polling.
    for (let tries = 0; tries < 100; tries++) {
      const { arrivals } = await receiver.ask('all')
      const arrival = arrivals.find(([name]) => name.endsWith(event.id))
      if (arrival) latencies.push(arrival[1] - event.at)
      if (arrival) break
      await pause(10)
    }
  }
  return latencies
}

/** What the same receivers take from a client that does nothing else but sign and send. */
async function postBare(targets: readonly string[], count: number): Promise<number> {
  const agent = new Agent({ connections: Math.ceil(inFlight / targets.length), pipelining: 1 })
  const event = completedPayout('bare')
  const body = encodeEvent(event)
  const answeredAt: number[] = []
  let next = 0
  const sending = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const headers = {
        'content-type': 'application/json',
        'x-service-event-id': `bare-${n}`,
        'x-service-signature': signWebhook(['whsec_bare'], body, new Date()),
      }
      const url = targets[n % targets.length] ?? ''
      const reply = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      await reply.body.dump()
      answeredAt.push(performance.now())
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sending))
  await agent.close()
  return warmPerSecond(answeredAt)
}

/** Claims without sending. */
async function claim(
  db: pg.Client,
  url: string,
  tenants: readonly BenchTenant[],
  limit: number,
): Promise<number> {
  const perTenantHere = 60
  for (const some of batches(tenants, 10)) await makeEvents(db, some, perTenantHere)
  const stores = postgresStores({ url })
  const query: ClaimQuery = {
    limit,
    leaseSeconds: 30,
    perEndpoint: 1_000,
    perTenant: 1_000,
    lane: 'quick',
    catchUpPerSecond: 50,
  }
  let claimed = 0
  const start = performance.now()
  for (;;) {
    const { length } = await stores.deliveries.claimDue(query)
    if (length === 0) break
    claimed += length
  }
  const seconds = (performance.now() - start) / 1_000
  await stores.close()
  await db.query('delete from quipu.delivery_open')
  return claimed / seconds
}

const batches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  )

export const latencyP50 = ({ latenciesMs }: DeliveryFigures): number => percentile(latenciesMs, 0.5)
