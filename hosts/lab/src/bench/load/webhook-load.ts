import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Child, startChild } from '../process/child.ts'
import { type BenchEndpoint, makeEndpoints, makeEvents, removeEndpoints } from '../data/endpoints.ts'
import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import { peakRssMb } from '../report/cpu.ts'
import type { Arrivals } from '../process/receiver-process.ts'
import { startWorkerProcess } from '../process/start-worker.ts'

export type WebhookLoadPlan = {
  readonly endpoints: number
  readonly events: number
  readonly eventsPerSecond: number
  /** Behaviours of one endpoint in ten, in turn; empty if every endpoint answers. */
  readonly bad: readonly string[]
}

export type WebhookLoadResult = {
  /** Deliveries to endpoints that answer. */
  readonly expected: number
  readonly missed: number
  /** From the commit of the event to its arrival, for each of these deliveries. */
  readonly latenciesMs: readonly number[]
  /** Peak resident memory of the worker. */
  readonly workerRssMb: number
}

type Endpoint = BenchEndpoint & { readonly path: string; readonly isBad: boolean }
type Event = { readonly id: string; readonly tenantId: string; readonly at: number }

/** A port without a listener. */
const deadPort = 9
const originCount = 60

/** Inserts events at a constant rate, and waits until all have arrived at the endpoints that answer. */
export async function runWebhookLoad(
  db: pg.Client,
  url: string,
  tenants: readonly BenchTenant[],
  plan: WebhookLoadPlan,
): Promise<WebhookLoadResult> {
  const receiver = await startChild<Arrivals>('receiver-process', [String(originCount)])
  const worker = await startWorkerProcess(url)
  try {
    const endpoints = endpointsOf(tenants, receiver.ready.ports, plan)
    await makeEndpoints(db, endpoints)
    const events = await makeEventsAtRate(db, tenants, plan)
    const arrived = await collectArrivals(receiver, endpoints, events)
    return { ...arrived, workerRssMb: peakRssMb(worker.pid) }
  } finally {
    await worker.stop()
    await receiver.stop()
    await removeEndpoints(db)
  }
}

/** Endpoints that answer share no origin with others, as different receivers do. */
function endpointsOf(
  tenants: readonly BenchTenant[],
  ports: readonly number[],
  { endpoints, bad }: WebhookLoadPlan,
): readonly Endpoint[] {
  const badPorts = ports.slice(0, bad.length)
  const goodPorts = ports.slice(bad.length)
  return Array.from({ length: endpoints }, (_, n) => {
    const tenant = tenants[n % tenants.length] ?? { id: '', apiKey: '' }
    const turn = Math.floor(n / 10) % Math.max(1, bad.length)
    const isBad = bad.length > 0 && n % 10 === 0
    const kind = isBad ? (bad[turn] ?? 'ok') : 'ok'
    const port = isBad ? badPorts[turn] : goodPorts[n % goodPorts.length]
    const path = `/${kind}/${n}`
    return { tenant, path, isBad, url: `http://127.0.0.1:${kind === 'dead' ? deadPort : port}${path}` }
  })
}

async function makeEventsAtRate(
  db: pg.Client,
  tenants: readonly BenchTenant[],
  { events: count, eventsPerSecond }: WebhookLoadPlan,
): Promise<readonly Event[]> {
  const made: Event[] = []
  const perCall = 10
  const start = performance.now()
  while (made.length < count) {
    const first = made.length % tenants.length
    made.push(...(await makeEvents(db, tenants.slice(first, first + perCall), 1)))
    const dueAt = start + (made.length * 1_000) / eventsPerSecond
    await pause(Math.max(0, dueAt - performance.now()))
  }
  return made
}

async function collectArrivals(
  receiver: Child<Arrivals>,
  endpoints: readonly Endpoint[],
  events: readonly Event[],
): Promise<Omit<WebhookLoadResult, 'workerRssMb'>> {
  const good = endpoints.filter(({ isBad }) => !isBad)
  const byTenant = Map.groupBy(good, ({ tenant }) => tenant.id)
  const wanted = events.flatMap(({ id, tenantId, at }) =>
    (byTenant.get(tenantId) ?? []).map(({ path }) => ({ name: `${path} ${id}`, at })),
  )
  const arrivals = new Map<string, number>()
  for (let polls = 0; polls < 60; polls++) {
    for (const [name, at] of (await receiver.request('all')).arrivals) arrivals.set(name, at)
    if (wanted.every(({ name }) => arrivals.has(name))) break
    await pause(500)
  }
  const latenciesMs = wanted.flatMap(({ name, at }) => {
    const arrival = arrivals.get(name)
    return arrival === undefined ? [] : [arrival - at]
  })
  return { expected: wanted.length, missed: wanted.length - latenciesMs.length, latenciesMs }
}
