import { endedChildrenCpu, perUnit, startUsage, total } from '../report/cpu.ts'
import { makeEndpoints, removeEndpoints } from '../data/endpoints.ts'
import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import { type HttpBench, type HttpFigures, measureHttp, measureOpenLoop } from './http.ts'
import { measureSql } from './sql.ts'
import { measureStore, type StoreFigures } from './store.ts'
import type { OpenLoadFigures } from '../load/open-loop.ts'
import { type Pgbench, tps, transactions } from '../postgres/pgbench.ts'
import { tableBytes } from '../postgres/storage.ts'

/** What is measured on: one server, with pgbench's tables in one database and ours in another. */
export type Bench = HttpBench & {
  readonly url: string
  /** On its own tables. */
  readonly tpcb: Pgbench
  /** On ours. */
  readonly pgbench: Pgbench
  readonly tenants: readonly BenchTenant[]
  readonly seconds: number
  /** Collects the garbage of what was measured, so that nobody pays for another's. */
  readonly vacuum: () => Promise<void>
}

/** Transactions of pgbench, and what one costs. */
type Baseline = {
  readonly perSecond: number
  /** CPU of one transaction, in µs. */
  readonly cpuUs: { readonly postgres: number; readonly pgbench: number }
  readonly idle: number
}

/** One pass over everything, between two measurements of the baseline. */
export type Round = {
  readonly baseline: Baseline
  /** Payouts per second. */
  readonly sql: number
  readonly store: StoreFigures
  readonly many: HttpFigures
  /** By twice the connections. */
  readonly more: HttpFigures
  readonly lone: HttpFigures
  readonly single: HttpFigures
  readonly withEndpoint: HttpFigures
  /** At half of the rate that `many` or `more` reached. */
  readonly open: OpenLoadFigures
  /** What a payout adds to tables and indexes for good, without its quote and deliveries. */
  readonly diskBytesPerPayout: number
}

export async function playRound(bench: Bench): Promise<Round> {
  const { url, db, pgbench, tenants, seconds } = bench
  const cleanly = async <T>(measure: () => Promise<T>): Promise<T> => {
    await bench.vacuum()
    return measure()
  }
  const load = (connections: number, of: readonly BenchTenant[]): Promise<HttpFigures> =>
    cleanly(() => measureHttp(bench, of, { seconds, connections }))
  const before = await cleanly(() => measureBaseline(bench))
  const sql = await cleanly(() => measureSql(db, pgbench, tenants, seconds))
  const store = await cleanly(() => measureStore(db, url, tenants, { seconds, inFlight: 64 }))
  const many = await load(64, tenants)
  const tableBytesAfter = await cleanly(() => tableBytes(db))
  const more = await load(128, tenants)
  const lone = await load(64, tenants.slice(0, 1))
  const single = await load(1, tenants)
  const withEndpoint = await measureWithEndpoints(bench)
  const ratePerSecond = Math.max(many.perSecond, more.perSecond) / 2
  const open = await cleanly(() => measureOpenLoop(bench, tenants, { seconds, ratePerSecond }))
  const after = await cleanly(() => measureBaseline(bench))
  return {
    ...{ sql, store, many, more, lone, single, withEndpoint, open },
    baseline: mean(before, after),
    diskBytesPerPayout: (tableBytesAfter - many.tableBytesBefore) / many.completed,
  }
}

/** Every tenant has an endpoint, to which nothing is sent: no worker runs. */
async function measureWithEndpoints(bench: Bench): Promise<HttpFigures> {
  const { db, tenants, seconds } = bench
  const endpoints = tenants.map((tenant) => ({ tenant, url: 'http://127.0.0.1:9/' }))
  await makeEndpoints(db, endpoints)
  try {
    await bench.vacuum()
    return await measureHttp(bench, tenants, { seconds, connections: 64 })
  } finally {
    await removeEndpoints(db)
  }
}

/** TPC-B-like transactions of the same server, by pgbench's simple protocol. */
async function measureBaseline({ tpcb, seconds, postgresCpu }: Bench): Promise<Baseline> {
  const endUsage = startUsage({ postgres: postgresCpu, pgbench: endedChildrenCpu })
  const report = await tpcb('-n', '-M', 'simple', '-c', '16', '-j', '2', '-T', String(seconds))
  const usage = endUsage()
  const cpuUs = perUnit(usage, transactions(report))
  return { perSecond: tps(report), cpuUs, idle: usage.idle }
}

function mean(a: Baseline, b: Baseline): Baseline {
  const of = (value: (baseline: Baseline) => number): number => (value(a) + value(b)) / 2
  return {
    perSecond: of(({ perSecond }) => perSecond),
    cpuUs: {
      postgres: of(({ cpuUs }) => cpuUs.postgres),
      pgbench: of(({ cpuUs }) => cpuUs.pgbench),
    },
    idle: of(({ idle }) => idle),
  }
}

/** CPU of one TPC-B transaction over that of one payout, of all processes. */
export const cpuRatio = ({ baseline }: Round, { usage, completed }: HttpFigures): number =>
  total(baseline.cpuUs) / total(perUnit(usage, completed))

/** A round in one line, for who watches. */
export function describeRound(round: Round): string {
  const { baseline, sql, store, many, lone } = round
  const parts = { baseline: baseline.perSecond, sql, store: store.perSecond, http: many.perSecond }
  return Object.entries({ ...parts, 'http, one tenant': lone.perSecond })
    .map(([name, value]) => `${name} ${Math.round(value)}/s`)
    .concat(`CPU ratio ${cpuRatio(round, many).toFixed(2)}`)
    .join('; ')
}
