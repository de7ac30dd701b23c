import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { migrate, sessionSettings } from '@quipu/postgres'
import pg from 'pg'
import { median, percentile, rounded } from './figures.ts'
import { makeTenants } from './fixtures.ts'
import { type DeliveryFigures, latencyP50, measureDeliveries } from './measure-deliveries.ts'
import { measureHttp, startApiProcess } from './measure-http.ts'
import { findPgbench } from './pgbench.ts'
import { describeRound, playRound, type Round } from './round.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 6)
const roundCount = Number(process.env['BENCH_ROUNDS'] ?? 3)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const dataDir = await mkdtemp(join(tmpdir(), 'quipu-bench-'))
const server = await startPostgres({
  dataDir,
  durability: 'full',
  // Its durability is the default. Garbage is collected between the measurements instead of in them.
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' },
})
try {
  say(JSON.stringify(figures(await playRounds(server))))
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}

type Measured = {
  readonly rounds: readonly Round[]
  readonly deliveries: readonly DeliveryFigures[]
}

async function playRounds(on: PostgresServer): Promise<Measured> {
  await createDatabase(on, 'tpcb')
  await createDatabase(on, 'quipu')
  const url = on.urlFor('quipu')
  const tpcb = await findPgbench(on.urlFor('tpcb'))
  const pgbench = await findPgbench(url, sessionSettings)
  say('filling pgbench at scale 20 …')
  await tpcb('-i', '-q', '-s', '20')
  await migrate(url)
  const api = await startApiProcess(url)
  const db = new pg.Client(url)
  const tpcbDb = new pg.Client(on.urlFor('tpcb'))
  const vacuum = async (): Promise<void> => {
    await Promise.all([db.query('vacuum'), tpcbDb.query('vacuum')])
  }
  try {
    await Promise.all([db.connect(), tpcbDb.connect()])
    const tenants = await makeTenants(db, 1000)
    const bench = { url, db, api, tpcb, pgbench, tenants, seconds, vacuum }
    say('warming up …') // A service runs for days: its first seconds are not its speed.
    await measureHttp(db, api, tenants, { seconds, connections: 64 })
    const deliveries: DeliveryFigures[] = []
    const rounds: Round[] = []
    while (rounds.length < roundCount) {
      const round = await playRound(bench)
      rounds.push(round)
      say(`round ${rounds.length}: ${describeRound(round)}`)
      await vacuum()
      deliveries.push(await measureDeliveries(db, url, tenants.slice(0, 100)))
    }
    return { rounds, deliveries }
  } finally {
    await Promise.all([db.end(), tpcbDb.end()])
    await api.stop()
  }
}

/** Medians over the rounds; each ratio is taken within its own round. */
function figures({ rounds, deliveries }: Measured): Readonly<Record<string, number>> {
  const usual = (of: (figures: DeliveryFigures) => number, digits?: number): number =>
    rounded(median(deliveries.map(of)), digits)
  const typical = (of: (round: Round) => number, digits?: number): number =>
    rounded(median(rounds.map(of)), digits)
  const sum = (of: (round: Round) => number): number => rounds.reduce((n, r) => n + of(r), 0)
  return {
    baseline_tps: typical(({ baseline }) => baseline, 0),
    sql_batched_ratio: typical(({ sql, baseline }) => sql / baseline),
    node_ratio: typical(({ store, baseline }) => store.perSecond / baseline),
    http_ratio: typical(({ many, baseline }) => many.perSecond / baseline),
    http_one_tenant_ratio: typical(({ lone, baseline }) => lone.perSecond / baseline),
    http_p50_ms_c1: typical(({ single }) => percentile(single.latenciesMs, 0.5)),
    fsyncs_per_payout: typical(({ store }) => store.fsyncsPerPayout, 3),
    http_p99_ms_c64: typical(({ many }) => percentile(many.latenciesMs, 0.99), 1),
    rss_mb: rounded(Math.max(...rounds.flatMap(({ many, lone }) => [many.rssMb, lone.rssMb])), 0),
    deliveries_ratio: usual(({ perSecond, barePerSecond }) => perSecond / barePerSecond),
    deliveries_per_s: usual(({ perSecond }) => perSecond, 0),
    claims_per_s_50: usual(({ claimsPerSecond }) => claimsPerSecond.by50, 0),
    claims_per_s_500: usual(({ claimsPerSecond }) => claimsPerSecond.by500, 0),
    event_to_receiver_p50_ms: usual(latencyP50, 1),
    events_missed: deliveries.reduce((n, { missed }) => n + missed, 0),
    errors: sum(({ store, many, lone, single }) =>
      [store, many, lone, single].reduce((n, { errors }) => n + errors, 0),
    ),
  }
}
