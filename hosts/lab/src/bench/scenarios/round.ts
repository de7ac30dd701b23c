import { endedChildrenCpu, perUnit, startUsage, total } from '../report/cpu.ts'
import { makeEndpoints, removeEndpoints } from '../data/endpoints.ts'
import type { BenchTenant } from '../data/tenants-and-quotes.ts'
import { type HttpBench, type HttpResult, measureHttp, measureOpenLoop } from './http.ts'
import type { OpenLoopResult } from '../load/open-loop.ts'
import { type Pgbench, tps, transactions } from '../postgres/pgbench.ts'
import { tableBytes } from '../postgres/storage.ts'

/** One server, with a database for pgbench's tables and one for Quipu's. */
export type Bench = HttpBench & {
  readonly url: string
  /** Runs pgbench on its own tables. */
  readonly tpcb: Pgbench
  readonly tenants: readonly BenchTenant[]
  readonly seconds: number
  /** Vacuums, so that no measurement includes the dead rows of the one before. */
  readonly vacuum: () => Promise<void>
}

/** TPC-B-like transactions of pgbench. */
type Baseline = {
  readonly perSecond: number
  /** CPU time of one transaction in µs. */
  readonly cpuUs: { readonly postgres: number; readonly pgbench: number }
  readonly idle: number
}

/** All measurements once, between two of the baseline. */
export type Round = {
  readonly baseline: Baseline
  /** Closed loops with 64 and 128 connections. */
  readonly http64: HttpResult
  readonly http128: HttpResult
  readonly oneConnection: HttpResult
  /** 64 connections, with one endpoint for each tenant. */
  readonly oneEndpoint: HttpResult
  /** At half of the rate that `http64` or `http128` reached. */
  readonly openLoop: OpenLoopResult
  /** Growth of tables and indexes by a payout, without its quote and deliveries. */
  readonly diskBytesPerPayout: number
}

export async function runRound(bench: Bench): Promise<Round> {
  const { db, tenants, seconds } = bench
  const afterVacuum = async <T>(measure: () => Promise<T>): Promise<T> => {
    await bench.vacuum()
    return measure()
  }
  const load = (connections: number): Promise<HttpResult> =>
    afterVacuum(() => measureHttp(bench, tenants, { seconds, connections }))
  const before = await afterVacuum(() => measureBaseline(bench))
  const http64 = await load(64)
  const tableBytesAfter = await afterVacuum(() => tableBytes(db))
  const http128 = await load(128)
  const oneConnection = await load(1)
  const oneEndpoint = await measureWithEndpoints(bench)
  const ratePerSecond = Math.max(http64.perSecond, http128.perSecond) / 2
  const openLoop = await afterVacuum(() => measureOpenLoop(bench, tenants, { seconds, ratePerSecond }))
  const after = await afterVacuum(() => measureBaseline(bench))
  return {
    http64,
    http128,
    oneConnection,
    oneEndpoint,
    openLoop,
    baseline: mean(before, after),
    diskBytesPerPayout: (tableBytesAfter - http64.tableBytesBefore) / http64.completed,
  }
}

/** Every tenant has an endpoint, and no worker runs. */
async function measureWithEndpoints(bench: Bench): Promise<HttpResult> {
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

/** TPC-B-like transactions on the same server, by the simple protocol. */
async function measureBaseline({ tpcb, seconds, postgresCpu }: Bench): Promise<Baseline> {
  const endUsage = startUsage({ postgres: postgresCpu, pgbench: endedChildrenCpu })
  const report = await tpcb('-n', '-M', 'simple', '-c', '16', '-j', '2', '-T', String(seconds))
  const usage = endUsage()
  const cpuUs = perUnit(usage, transactions(report))
  return { perSecond: tps(report), cpuUs, idle: usage.idle }
}

function mean(a: Baseline, b: Baseline): Baseline {
  const mean = (value: (baseline: Baseline) => number): number => (value(a) + value(b)) / 2
  return {
    perSecond: mean(({ perSecond }) => perSecond),
    cpuUs: { postgres: mean(({ cpuUs }) => cpuUs.postgres), pgbench: mean(({ cpuUs }) => cpuUs.pgbench) },
    idle: mean(({ idle }) => idle),
  }
}

/** CPU time of a TPC-B transaction over that of a payout, of all processes. */
export const cpuRatio = ({ baseline }: Round, { usage, completed }: HttpResult): number =>
  total(baseline.cpuUs) / total(perUnit(usage, completed))

/** A line of progress. */
export function describeRound(round: Round): string {
  const { baseline, http64 } = round
  return Object.entries({ baseline: baseline.perSecond, http: http64.perSecond })
    .map(([name, value]) => `${name} ${Math.round(value)}/s`)
    .concat(`CPU ratio ${cpuRatio(round, http64).toFixed(2)}`)
    .join('; ')
}
