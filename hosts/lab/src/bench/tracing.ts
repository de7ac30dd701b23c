import 'reflect-metadata'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { type BenchDatabase, withBenchDatabase } from './postgres/bench-database.ts'
import { treeCpu } from './report/cpu.ts'
import { startApiProcess } from './scenarios/http.ts'
import { measureTracing, type TracingResult } from './scenarios/tracing.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
/** `hosts/lab/dist/bench` of a build without tracing, such as an earlier commit's. */
const untracedBuild = process.env['BENCH_UNTRACED_BUILD']
const say = (line: string): void => void process.stdout.write(`${line}\n`)

// Takes every export, as a collector does.
const collector = createServer((req, res) => req.resume().on('end', () => res.end()))
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const settings = { shared_buffers: '512MB', max_wal_size: '8GB', autovacuum: 'off' }
try {
  say(JSON.stringify(await withBenchDatabase(run, { settings })))
} finally {
  collector.close()
}

async function run({ server, url, db }: BenchDatabase): Promise<TracingResult> {
  const apis = {
    ...(untracedBuild !== undefined && {
      absent: await startApiProcess(url, [], new URL('process/', pathToFileURL(`${untracedBuild}/`))),
    }),
    off: await startApiProcess(url),
    off_again: await startApiProcess(url), // The mean of both is the baseline, and their ratios show the noise.
    sampled_1_percent: await startApiProcess(url, [collectorUrl, '0.01']),
    // Bounds: the sampler without a span, and the spans of every request, of which the line above has a hundredth.
    sampled_none: await startApiProcess(url, [collectorUrl, '0']),
    sampled_all: await startApiProcess(url, [collectorUrl, '1']),
  }
  try {
    const tenants = await makeTenants(db, 1000)
    const postgresCpu = treeCpu(server.pid)
    return await measureTracing({ db, postgresCpu, tenants, seconds, rounds, say }, apis)
  } finally {
    await Promise.all(Object.values(apis).map((api) => api.stop()))
  }
}
