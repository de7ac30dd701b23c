import { fuzz, type FuzzDocument, fuzzReport, type FuzzReport, summaryOf } from '@quipu/wire/testing'
import { expect, test } from 'vitest'
import { testExample } from './example.fixture.ts'

/** `npx -y pnpm@12 fuzz` sets them. */
const { QUIPU_FUZZ_REQUESTS: asked, QUIPU_FUZZ_SEED: seed = '25' } = process.env
const requests = Number(asked ?? 500)
const requestsPerServer = 500
const days = 86_400_000

test(
  'requests made from the document get answers that it describes',
  async () => {
    const report = fuzzReport()
    for (let sent = 0; sent < requests; sent += requestsPerServer)
      await fuzzExample(Math.min(requestsPerServer, requests - sent), Number(seed) + sent, report)
    if (asked !== undefined) process.stdout.write(`${summaryOf(report)}\n`)
    expect(report.faults.slice(0, 20)).toEqual([])
    if (requests >= 500) expect(report.accepted.size).toBeGreaterThan(12)
  },
  days,
)

async function fuzzExample(requests: number, seed: number, report: FuzzReport): Promise<void> {
  const example = await testExample({}, 'stopped')
  const served = (await example.ask('GET', '/v1/openapi.json')).json as FuzzDocument
  const target = {
    url: example.url,
    document: withoutReceivers(served),
    known: { address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', content: 'MOCK:OPEN' },
    credential: (number: number): Record<string, string> =>
      number < 96 ? { 'X-API-Key': `qpu_mock_${number % 3}` } : {},
  }
  await fuzz(target, { requests, seed }, report)
  const { status } = await example.ask('GET', '/healthz')
  if (status !== 200) report.faults.push(`/healthz answered ${status} after the run`)
  await example.stop()
}

/** Without webhooks: this server really sends to the URLs of requests. The API's fuzz test calls those operations. */
const withoutReceivers = (document: FuzzDocument): FuzzDocument => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/webhooks'))),
})
