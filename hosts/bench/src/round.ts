import type pg from 'pg'
import type { BenchTenant } from './fixtures.ts'
import { type ApiProcess, type HttpFigures, measureHttp } from './measure-http.ts'
import { measureSql } from './measure-sql.ts'
import { measureStore, type StoreFigures } from './measure-store.ts'
import { type Pgbench, tps } from './pgbench.ts'

/** What is measured on: one server, with pgbench's tables in one database and ours in another. */
export type Bench = {
  readonly url: string
  readonly db: pg.Client
  readonly api: ApiProcess
  /** On its own tables. */
  readonly tpcb: Pgbench
  /** On ours. */
  readonly pgbench: Pgbench
  readonly tenants: readonly BenchTenant[]
  readonly seconds: number
  /** Collects the garbage of what was measured, so that nobody pays for another's. */
  readonly vacuum: () => Promise<void>
}

/** One pass over everything, between two measurements of the baseline. */
export type Round = {
  /** Transactions per second of pgbench. */
  readonly baseline: number
  /** Payouts per second. */
  readonly sql: number
  readonly store: StoreFigures
  readonly many: HttpFigures
  readonly lone: HttpFigures
  readonly single: HttpFigures
}

export async function playRound(bench: Bench): Promise<Round> {
  const { url, db, api, pgbench, tenants, seconds } = bench
  const cleanly = async <T>(measure: () => Promise<T>): Promise<T> => {
    await bench.vacuum()
    return measure()
  }
  const load = (connections: number, of: readonly BenchTenant[]): Promise<HttpFigures> =>
    cleanly(() => measureHttp(db, api, of, { seconds, connections }))
  const before = await cleanly(() => baseline(bench))
  const sql = await cleanly(() => measureSql(db, pgbench, tenants, seconds))
  const store = await cleanly(() => measureStore(db, url, tenants, { seconds, inFlight: 64 }))
  const many = await load(64, tenants)
  const lone = await load(64, tenants.slice(0, 1))
  const single = await load(1, tenants)
  const after = await cleanly(() => baseline(bench))
  return { baseline: (before + after) / 2, sql, store, many, lone, single }
}

/** TPC-B-like transactions per second of the same server, by pgbench's simple protocol. */
async function baseline({ tpcb, seconds }: Bench): Promise<number> {
  return tps(await tpcb('-n', '-M', 'simple', '-c', '16', '-j', '2', '-T', String(seconds)))
}

/** A round in one line, for who watches. */
export function describeRound({ baseline: base, sql, store, many, lone }: Round): string {
  const parts = { baseline: base, sql, store: store.perSecond, http: many.perSecond }
  return Object.entries({ ...parts, 'http, one tenant': lone.perSecond })
    .map(([name, value]) => `${name} ${Math.round(value)}/s`)
    .join('; ')
}
