import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Child, startChild } from '../process/child.ts'
import {
  type BenchEndpoint,
  makeEndpoints,
  makeEvents,
  removeEndpoints,
} from '../data/endpoints.ts'
import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import type { Arrivals } from '../process/receiver-process.ts'
import { startWorkerProcess } from '../process/start-worker.ts'

export type LoadPlan = {
  readonly endpoints: number
  readonly events: number
  readonly eventsPerSecond: number
  /** How one endpoint in ten behaves, by turns; every one answers when there is nothing here. */
  readonly bad: readonly string[]
}

export type LoadFigures = {
  /** Deliveries to endpoints that answer. */
  readonly expected: number
  readonly missed: number
  /** Of each of them, from its event's commit. */
  readonly latenciesMs: readonly number[]
}

type Endpoint = BenchEndpoint & { readonly path: string; readonly isBad: boolean }
type Event = { readonly id: string; readonly tenantId: string; readonly at: number }

/** Nobody listens there. */
const deadPort = 9
const originCount = 60

/** Lets events happen at a steady pace, and waits until all have arrived where somebody answers. */
export async function playLoad(
  db: pg.Client,
  url: string,
  tenants: readonly BenchTenant[],
  plan: LoadPlan,
): Promise<LoadFigures> {
  const receiver = await startChild<Arrivals>('receiver-process', [String(originCount)])
  const worker = await startWorkerProcess(url)
  try {
    const endpoints = endpointsOf(tenants, receiver.ready.ports, plan)
    await makeEndpoints(db, endpoints)
    const events = await happen(db, tenants, plan)
    return await follow(receiver, endpoints, events)
  } finally {
    await worker.stop()
    await receiver.stop()
    await removeEndpoints(db)
  }
}

/** Good endpoints share origins with good ones only, as they would in the world. */
function endpointsOf(
  tenants: readonly BenchTenant[],
  ports: readonly number[],
  { endpoints, bad }: LoadPlan,
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
    return {
      tenant,
      path,
      isBad,
      url: `http://127.0.0.1:${kind === 'dead' ? deadPort : port}${path}`,
    }
  })
}

async function happen(
  db: pg.Client,
  tenants: readonly BenchTenant[],
  { events: count, eventsPerSecond }: LoadPlan,
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

async function follow(
  receiver: Child<Arrivals>,
  endpoints: readonly Endpoint[],
  events: readonly Event[],
): Promise<LoadFigures> {
  const good = endpoints.filter(({ isBad }) => !isBad)
  const byTenant = Map.groupBy(good, ({ tenant }) => tenant.id)
  const wanted = events.flatMap(({ id, tenantId, at }) =>
    (byTenant.get(tenantId) ?? []).map(({ path }) => ({ name: `${path} ${id}`, at })),
  )
  const arrivals = new Map<string, number>()
  for (let tries = 0; tries < 60; tries++) {
    for (const [name, at] of (await receiver.ask('all')).arrivals) arrivals.set(name, at)
    if (wanted.every(({ name }) => arrivals.has(name))) break
    await pause(500)
  }
  const latenciesMs = wanted.flatMap(({ name, at }) => {
    const arrival = arrivals.get(name)
    return arrival === undefined ? [] : [arrival - at]
  })
  return { expected: wanted.length, missed: wanted.length - latenciesMs.length, latenciesMs }
}
