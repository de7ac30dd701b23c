import { whole } from '../run/options.ts'
import { subjectOf } from '../run/subject.ts'
import { fuzzApi } from './fuzz-api.ts'
import { fuzzExample } from './fuzz-example.ts'
import { type FuzzReport, fuzzReport } from './fuzz-run.ts'

type Fuzz = (requests: number, seed: number, report: FuzzReport) => Promise<void>

/** The servers, and how many requests each gets before it is replaced by a new one. */
export const fuzzed: Readonly<Record<'api' | 'example', { readonly fuzz: Fuzz; readonly requestsEach: number }>> = {
  api: { fuzz: fuzzApi, requestsEach: 1_000 },
  example: { fuzz: fuzzExample, requestsEach: 500 },
}

/** Sends a server this number of requests. */
export async function fuzzServer(name: keyof typeof fuzzed, requests: number, seed: number): Promise<FuzzReport> {
  const { fuzz, requestsEach } = fuzzed[name]
  const report = fuzzReport()
  for (let sent = 0; sent < requests; sent += requestsEach)
    await fuzz(Math.min(requestsEach, requests - sent), seed + sent, report)
  return report
}

/** Fuzzes the API and the example server with requests made from their documents. */
export const subject = subjectOf(
  {
    requests: whole('requests to each server', { from: 1, otherwise: 100_000 }),
    seed: whole('determines the requests; another each time by default', { otherwise: undefined }),
  },
  async ({ requests, seed = Date.now() % 1_000_000_007 }, { say }) => {
    say(`${requests} requests to each server, seed ${seed}`)
    const reports = {
      api: await fuzzServer('api', requests, seed),
      example: await fuzzServer('example', requests, seed),
    }
    const rows = Object.entries(reports).flatMap(([name, { statuses }]) =>
      Array.from(statuses)
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => [name, status, count]),
    )
    return {
      result: {
        seed,
        requests: reports.api.requests + reports.example.requests,
        accepted_operations: reports.api.accepted.size + reports.example.accepted.size,
      },
      failures: Object.entries(reports).flatMap(([name, { faults }]) => faults.map((fault) => `${name}: ${fault}`)),
      tables: [{ columns: ['Server', 'Status', 'Answers'], rows }],
    }
  },
)
