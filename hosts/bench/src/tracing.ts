import 'reflect-metadata'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createDatabase, createLogin, startPostgres } from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import pg from 'pg'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { treeCpu } from './report/cpu.ts'
import { startApiProcess } from './scenarios/http.ts'
import { measureTracing, type TracingResult } from './scenarios/tracing.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
/** `hosts/bench/dist` of a build without tracing, such as an earlier commit's. */
const untracedBuild = process.env['BENCH_UNTRACED_BUILD']
const say = (line: string): void => void process.stdout.write(`${line}\n`)

// Takes every export, as a collector does.
const collector = createServer((req, res) => req.resume().on('end', () => res.end()))
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const dataDir = await mkdtemp(join(tmpdir(), 'quipu-bench-'))
const server = await startPostgres({
  dataDir,
  durability: 'full',
  settings: { shared_buffers: '512MB', max_wal_size: '8GB', autovacuum: 'off' },
})
try {
  say(JSON.stringify(await run()))
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
  collector.close()
}

async function run(): Promise<TracingResult> {
  await createDatabase(server, 'quipu')
  const owner = server.urlFor('quipu')
  await migrate(owner)
  const url = await createLogin(owner, { name: 'quipu_app', memberOf: 'quipu_process' })
  const db = new pg.Client(owner)
  await db.connect()
  const apis = {
    ...(untracedBuild !== undefined && {
      absent: await startApiProcess(
        url,
        [],
        new URL('process/', pathToFileURL(`${untracedBuild}/`)),
      ),
    }),
    off: await startApiProcess(url),
    sampled_1_percent: await startApiProcess(url, [collectorUrl, '0.01']),
  }
  try {
    const tenants = await makeTenants(db, 1000)
    const postgresCpu = treeCpu(server.pid)
    return await measureTracing({ db, postgresCpu, tenants, seconds, rounds, say }, apis)
  } finally {
    await Promise.all(Object.values(apis).map((api) => api.stop()))
    await db.end()
  }
}
