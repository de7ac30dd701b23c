import 'reflect-metadata'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { text, whole } from '../run/options.ts'
import { subjectOf } from '../run/subject.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { type BenchDatabase, withBenchDatabase } from './postgres/bench-database.ts'
import { treeCpu } from './report/cpu.ts'
import { startApiProcess } from './scenarios/http.ts'
import { measureTracing, type TracingResult } from './scenarios/tracing.ts'

const settings = { shared_buffers: '512MB', max_wal_size: '8GB', autovacuum: 'off' }

/**
 * CPU time of a payout with and without tracing. Processes of one program differ by more than 1 % of the requests costs:
 * that figure is read with the others.
 */
export const subject = subjectOf(
  {
    seconds: whole('of each measurement', { from: 1, otherwise: 4 }),
    rounds: whole('how many rounds', { from: 1, otherwise: 8 }),
    'untraced-build': text('the compiled benchmark of a clone without tracing: `hosts/lab/dist/bench`'),
  },
  async (options, { say }) => {
    // Takes every export, as a collector does.
    const collector = createServer((req, res) => req.resume().on('end', () => res.end()))
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
    const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    try {
      const measure = (database: BenchDatabase) => run(database, { ...options, collectorUrl, say })
      return { result: await withBenchDatabase(measure, { settings }), failures: [] }
    } finally {
      collector.close()
    }
  },
)

type Plan = {
  readonly seconds: number
  readonly rounds: number
  readonly 'untraced-build': string | undefined
  readonly collectorUrl: string
  readonly say: (line: string) => void
}

async function run(
  { server, url, db }: BenchDatabase,
  { seconds, rounds, 'untraced-build': untracedBuild, collectorUrl, say }: Plan,
): Promise<TracingResult> {
  const apis = {
    ...(untracedBuild !== undefined && {
      absent: await startApiProcess(url, [], new URL('process/', pathToFileURL(`${untracedBuild}/`))),
    }),
    off: await startApiProcess(url),
    off_again: await startApiProcess(url), // The mean of both is the baseline, and their ratios show the noise.
    sampled_1_percent: await startApiProcess(url, ['', collectorUrl, '0.01']),
    // Bounds: the sampler without a span, and the spans of every request, of which the line above has a hundredth.
    sampled_none: await startApiProcess(url, ['', collectorUrl, '0']),
    sampled_all: await startApiProcess(url, ['', collectorUrl, '1']),
  }
  try {
    const tenants = await makeTenants(db, 1000)
    const postgresCpu = treeCpu(server.pid)
    return await measureTracing({ db, postgresCpu, tenants, seconds, rounds, say }, apis)
  } finally {
    await Promise.all(Object.values(apis).map((api) => api.stop()))
  }
}
