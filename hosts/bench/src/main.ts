import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, startPostgres } from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import pg from 'pg'
import { median, percentile, rounded } from './figures.ts'
import { makeTenants } from './fixtures.ts'
import { type HttpFigures, measureHttp, startApiProcess } from './measure-http.ts'
import { measureSql } from './measure-sql.ts'
import { measureStore, type StoreFigures } from './measure-store.ts'
import { findPgbench, type Pgbench, tps } from './pgbench.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 6)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const dataDir = await mkdtemp(join(tmpdir(), 'quipu-bench-'))
const server = await startPostgres({
  dataDir,
  durability: 'full',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', max_connections: '100' },
})
try {
  await bench(server.urlFor('tpcb'), server.urlFor('quipu'))
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}

type Round = {
  readonly tpsBase: number
  readonly sql: number
  readonly node: StoreFigures
  readonly many: HttpFigures
  readonly one: HttpFigures
  readonly single: HttpFigures
}

async function bench(tpcbUrl: string, url: string): Promise<void> {
  await createDatabase(server, 'tpcb')
  await createDatabase(server, 'quipu')
  const pgbench = await findPgbench(tpcbUrl)
  say('filling pgbench at scale 20 …')
  await pgbench('-i', '-q', '-s', '20')
  await migrate(url)
  const db = new pg.Client(url)
  await db.connect()
  const tenants = await makeTenants(db, 1000)
  const lone = tenants.slice(0, 1)
  const api = await startApiProcess(url)
  const results: Round[] = []
  try {
    for (let round = 1; round <= rounds; round++) {
      const before = await baseline(pgbench)
      const sql = await measureSql(db, await findPgbench(url), tenants, seconds)
      const node = await measureStore(db, url, tenants, { seconds, inFlight: 64 })
      const many = await measureHttp(db, api, tenants, { seconds, connections: 64 })
      const one = await measureHttp(db, api, lone, { seconds, connections: 64 })
      const single = await measureHttp(db, api, tenants, { seconds: seconds / 2, connections: 1 })
      const tpsBase = (before + (await baseline(pgbench))) / 2
      results.push({ tpsBase, sql, node, many, one, single })
      const parts = {
        R: tpsBase,
        sql,
        store: node.perSecond,
        http: many.perSecond,
        'http one tenant': one.perSecond,
      }
      say(
        `round ${round}: ${Object.entries(parts)
          .map(([name, value]) => `${name} ${Math.round(value)}/s`)
          .join(', ')}`,
      )
    }
  } finally {
    await api.stop()
    await db.end()
  }
  const typical = (of: (round: Round) => number, digits?: number): number =>
    rounded(median(results.map(of)), digits)
  const errors = results.flatMap(({ node, many, one, single }) =>
    [node, many, one, single].map((figures) => figures.errors),
  )
  say(
    JSON.stringify({
      baseline_tps: typical(({ tpsBase }) => tpsBase, 0),
      sql_batched_ratio: typical(({ sql, tpsBase }) => sql / tpsBase),
      node_ratio: typical(({ node, tpsBase }) => node.perSecond / tpsBase),
      http_ratio: typical(({ many, tpsBase }) => many.perSecond / tpsBase),
      http_one_tenant_ratio: typical(({ one, tpsBase }) => one.perSecond / tpsBase),
      http_p50_ms_c1: typical(({ single }) => percentile(single.latenciesMs, 0.5)),
      fsyncs_per_payout: typical(({ node }) => node.fsyncsPerPayout, 3),
      http_p99_ms_c64: typical(({ many }) => percentile(many.latenciesMs, 0.99), 1),
      rss_mb: rounded(Math.max(...results.flatMap(({ many, one }) => [many.rssMb, one.rssMb])), 0),
      errors: errors.reduce((sum, count) => sum + count, 0),
    }),
  )
}

/** TPC-B-like transactions per second of the same server, by pgbench's simple protocol. */
async function baseline(pgbench: Pgbench): Promise<number> {
  return tps(await pgbench('-n', '-M', 'simple', '-c', '16', '-j', '2', '-T', String(seconds)))
}
