import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createDatabase,
  createLogin,
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from '@quipu/embedded-postgres'
import { migrate, sessionSettings } from '@quipu/postgres'
import pg from 'pg'
import { isCpuMeasured, treeCpu } from './report/cpu.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { type DeliveryResult, measureDeliveries } from './scenarios/deliveries.ts'
import { measureHttp, startApiProcess } from './scenarios/http.ts'
import { findPgbench } from './postgres/pgbench.ts'
import { chosenBinaries, postgresBuild } from './postgres/postgres-build.ts'
import { type Measured, report } from './report/report.ts'
import { describeRound, runRound, type Round } from './scenarios/round.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 6)
const roundCount = Number(process.env['BENCH_ROUNDS'] ?? 3)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const binaries = chosenBinaries()
const dataDir = await mkdtemp(join(tmpdir(), 'quipu-bench-'))
const options: PostgresOptions = {
  dataDir,
  durability: 'full',
  // Durability is the default. Vacuums run between the measurements, not during them.
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', autovacuum: 'off' },
}
const server = await startPostgres(options, undefined, binaries)
try {
  say(JSON.stringify(report(await runRounds(server))))
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function runRounds(on: PostgresServer): Promise<Measured> {
  await createDatabase(on, 'tpcb')
  await createDatabase(on, 'quipu')
  const owner = on.urlFor('quipu')
  const tpcb = await findPgbench(on.urlFor('tpcb'))
  const pgbench = await findPgbench(owner, sessionSettings)
  say('creating the tables of pgbench at scale 20 …')
  await tpcb('-i', '-q', '-s', '20')
  await migrate(owner)
  const url = await createLogin(owner, { name: 'quipu_app', memberOf: 'quipu_process' })
  const api = await startApiProcess(url)
  const db = new pg.Client(owner)
  const tpcbDb = new pg.Client(on.urlFor('tpcb'))
  const vacuum = async (): Promise<void> => {
    await Promise.all([db.query('vacuum'), tpcbDb.query('vacuum')])
  }
  try {
    await Promise.all([db.connect(), tpcbDb.connect()])
    const tenants = await makeTenants(db, 1000)
    const postgresCpu = treeCpu(on.pid)
    const bench = { url, db, api, tpcb, pgbench, tenants, seconds, vacuum, postgresCpu }
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
    await Promise.all([db.end(), tpcbDb.end()])
    await api.stop()
  }
}
