import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Child, startChild } from '../process/child.ts'
import { type BenchEndpoint, makeEndpoints, makeEvents, removeEndpoints } from '../data/endpoints.ts'
import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import { peakRssMb } from '../report/cpu.ts'
import type { Arrivals } from '../process/receiver-process.ts'
import { startWorkerProcess } from '../process/start-worker.ts'

export type WebhookLoadPlan = { readonly endpoints: number; readonly events: number; readonly eventsPerSecond: number }

export type WebhookLoadResult = {
  readonly missed: number
  /** From the commit of the event to its arrival, for each delivery. */
  readonly latenciesMs: readonly number[]
  /** Peak resident memory of the worker. */
  readonly workerRssMb: number
}

type Endpoint = BenchEndpoint & { readonly path: string }
type Event = { readonly id: string; readonly tenantId: string; readonly at: number }

const originCount = 60

/** Inserts events at a constant rate, and waits until all have arrived. */
export async function runWebhookLoad(
  db: pg.Client,
  url: string,
  tenants: readonly BenchTenant[],
  plan: WebhookLoadPlan,
): Promise<WebhookLoadResult> {
  const receiver = await startChild<Arrivals>('receiver-process', [String(originCount)])
  const worker = await startWorkerProcess(url)
  try {
    const endpoints = endpointsOf(tenants, receiver.ready.ports, plan.endpoints)
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

const endpointsOf = (tenants: readonly BenchTenant[], ports: readonly number[], count: number): readonly Endpoint[] =>
  Array.from({ length: count }, (_, n) => {
    const tenant = tenants[n % tenants.length] ?? { id: '', apiKey: '' }
    const path = `/ok/${n}`
    return { tenant, path, url: `http://127.0.0.1:${ports[n % ports.length]}${path}` }
  })

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
  const byTenant = Map.groupBy(endpoints, ({ tenant }) => tenant.id)
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
  return { missed: wanted.length - latenciesMs.length, latenciesMs }
}
