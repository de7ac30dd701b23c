import type pg from 'pg'
import { target, type BenchTenant, makeQuotes } from '../data/tenants-and-quotes.ts'
import { type Request, runClosedLoop } from '../load/closed-loop.ts'
import type { ApiReport } from '../process/api-process.ts'
import type { Child } from '../process/child.ts'
import type { NetworkReport } from '../process/network-process.ts'
import { walBytes, walFlushes } from '../postgres/storage.ts'
import { type CpuSource, ownCpu, perUnit, startUsage, treeCpu } from '../report/cpu.ts'
import { percentile, rounded } from '../report/statistics.ts'
import { payoutRequest, payoutUnits, requestBytes, tenantRequest } from './http.ts'

/** A unit of work of a row: a payout of a quote that exists, or the whole flow: resolution, quote and payout. */
export type Unit = 'payout' | 'flow'

export type FlowBench = {
  readonly db: pg.Client
  readonly api: Child<Pick<ApiReport, 'port' | 'queries'>>
  readonly network: Child<NetworkReport>
  readonly postgresCpu: CpuSource
  /** Further processes, such as a worker, whose CPU time counts. */
  readonly others?: Readonly<Record<string, CpuSource>>
}

export type FlowLoad = {
  readonly unit: Unit
  readonly connections: number
  readonly seconds: number
  readonly tenants: readonly BenchTenant[]
  readonly pauseMs?: () => number
}

/** For one unit, except `perSecond`, `batches` and `errors`. CPU time in µs; latencies in ms. */
export type FlowResult = {
  readonly perSecond: number
  readonly cpuUs: Readonly<Record<string, number>>
  readonly cpuUsOfService: number
  readonly commits: number
  readonly flushes: number
  readonly walBytes: number
  readonly batches: Readonly<Record<string, number>>
  readonly p50: number
  readonly p99: number
  readonly errors: number
}

const amount = { currency: 'BOB', amount: `${target.minor / 100n}.00` }

/** Closed loop of units on a number of connections. */
export async function measureFlow(bench: FlowBench, load: FlowLoad): Promise<FlowResult> {
  const { db, api, network, postgresCpu, others = {} } = bench
  const { unit, connections, seconds, tenants, pauseMs } = load
  const quotes = unit === 'flow' ? [] : await makeQuotes(db, tenants, seconds * (connections === 1 ? 2_000 : 8_000))
  const next = unit === 'flow' ? flowUnits(tenants) : payoutUnits(quotes)
  const before = await countersOf(db)
  const { payments } = await network.request('report')
  await api.request('report')
  const cpu = { postgres: postgresCpu, api: treeCpu(api.pid), ...others }
  const endUsage = startUsage({ ...cpu, load: ownCpu, network: treeCpu(network.pid) })
  const { completed, errors, latenciesMs, elapsedSeconds } = await runClosedLoop({
    port: api.ready.port,
    connections,
    seconds,
    next,
    ...(pauseMs && { pauseMs }),
  })
  const used = perUnit(endUsage(), completed)
  const { queries } = await api.request('report')
  const after = await countersOf(db)
  const paid = await network.request('report')
  const each = (counter: keyof Counters): number => (after[counter] - before[counter]) / completed
  const counted = Object.entries(queries).map(([name, count]) => [name, rounded(completed / count, 1)] as const)
  return {
    perSecond: rounded(completed / elapsedSeconds, 0),
    cpuUs: Object.fromEntries(Object.entries(used).map(([name, us]) => [name, rounded(us, 0)])),
    cpuUsOfService: rounded(
      Object.keys(cpu).reduce((sum, name) => sum + (used[name as keyof typeof used] ?? 0), 0),
      0,
    ),
    commits: rounded(each('commits')),
    flushes: rounded(each('flushes')),
    walBytes: rounded(each('wal'), 0),
    batches: Object.fromEntries(counted),
    p50: rounded(percentile(latenciesMs, 0.5)),
    p99: rounded(percentile(latenciesMs, 0.99)),
    errors: errors + paid.doubled + Math.max(0, completed - (paid.payments - payments)),
  }
}

type Counters = { readonly commits: number; readonly flushes: number; readonly wal: number }

async function countersOf(db: pg.Client): Promise<Counters> {
  const { rows } = await db.query<{ commits: number }>(
    `select xact_commit::float8 as commits from pg_stat_database where datname = current_database()`,
  )
  return { commits: rows[0]?.commits ?? NaN, flushes: await walFlushes(db), wal: await walBytes(db) }
}

function flowUnits(tenants: readonly BenchTenant[]): () => readonly Request[] {
  let count = 0
  return () => {
    const tenant = tenants[count++ % tenants.length]
    if (tenant === undefined) throw new Error('no tenants')
    const content = `bench|${process.pid}|${count}`
    return [
      () => requestBytes(tenantRequest(tenant, '/v1/payouts/qr/resolve', { content })),
      (answer) => {
        const resolution_id = memberOf(answer, 'resolution_id')
        return requestBytes(tenantRequest(tenant, '/v1/quotes', { target: amount, resolution_id }))
      },
      (answer) => requestBytes(payoutRequest({ tenant, quoteId: memberOf(answer, 'id') }, content)),
    ]
  }
}

/** A text member of a JSON answer, which has no escapes. */
function memberOf(response: string, name: string): string {
  const start = response.indexOf(`"${name}":"`) + name.length + 4
  return response.slice(start, response.indexOf('"', start))
}
