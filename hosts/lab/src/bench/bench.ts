import 'reflect-metadata'
import { type Binaries, createDatabase } from '@quipu/embedded-postgres'
import pg from 'pg'
import { text, whole } from '../run/options.ts'
import { mustBeZero } from '../run/report.ts'
import { subjectOf } from '../run/subject.ts'
import { isCpuMeasured, treeCpu } from './report/cpu.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { type DeliveryResult, measureDeliveries } from './scenarios/deliveries.ts'
import { measureHttp, startApiProcess } from './scenarios/http.ts'
import { type BenchDatabase, withBenchDatabase } from './postgres/bench-database.ts'
import { findPgbench } from './postgres/pgbench.ts'
import { chosenBinaries, postgresBuild } from './postgres/postgres-build.ts'
import { type Measured, report } from './report.ts'
import { describeRound, runRound, type Round } from './scenarios/round.ts'

// Vacuums run between the measurements, not during them.
const settings = { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' }

/** Payouts and deliveries: throughput, latency, CPU time, batch sizes, write-ahead log and disk. */
export const subject = subjectOf(
  {
    seconds: whole('of each measurement; in shorter ones V8 has not compiled all code yet', { from: 1, otherwise: 6 }),
    rounds: whole('each result is their median, and each ratio is within one', { from: 1, otherwise: 3 }),
    'postgres-bin': text(
      'folder `bin` of another PostgreSQL 18; npm’s is compiled with -Os, those of production mostly with -O2',
    ),
  },
  async ({ seconds, rounds, 'postgres-bin': bin }, { say }) => {
    const binaries = chosenBinaries(bin)
    const run = (database: BenchDatabase): Promise<Measured> => runRounds(database, { seconds, rounds, binaries, say })
    const result = report(await withBenchDatabase(run, { settings, binaries }))
    return { result, failures: mustBeZero(result, ['errors', 'events_missed']) }
  },
)

type Plan = {
  readonly seconds: number
  readonly rounds: number
  readonly binaries: Binaries | undefined
  readonly say: (line: string) => void
}

async function runRounds(
  { server, url, db }: BenchDatabase,
  { seconds, rounds: roundCount, binaries, say }: Plan,
): Promise<Measured> {
  await createDatabase(server, 'tpcb')
  const tpcb = await findPgbench(server.urlFor('tpcb'))
  say('creating the tables of pgbench at scale 20 …')
  await tpcb('-i', '-q', '-s', '20')
  const api = await startApiProcess(url)
  const tpcbDb = new pg.Client(server.urlFor('tpcb'))
  const vacuum = async (): Promise<void> => {
    await Promise.all([db.query('vacuum'), tpcbDb.query('vacuum')])
  }
  try {
    await tpcbDb.connect()
    const tenants = await makeTenants(db, 1000)
    const postgresCpu = treeCpu(server.pid)
    const bench = { url, db, api, tpcb, tenants, seconds, vacuum, postgresCpu }
    const postgres = await postgresBuild(db, binaries)
    say(`${postgres.version} (${postgres.cflags}), from ${postgres.from}`)
    if (!isCpuMeasured) say('CPU time is null: it is read from /proc, which only Linux has.')
    say('warming up …') // A service runs for days: its first seconds do not count.
    await measureHttp(bench, tenants, { seconds, connections: 64 })
    const deliveries: DeliveryResult[] = []
    const rounds: Round[] = []
    while (rounds.length < roundCount) {
      const round = await runRound(bench)
      rounds.push(round)
      say(`round ${rounds.length}: ${describeRound(round)}`)
      await vacuum()
      deliveries.push(await measureDeliveries(bench, tenants.slice(0, 100)))
    }
    return { rounds, deliveries, postgres }
  } finally {
    await tpcbDb.end()
    await api.stop()
  }
}
