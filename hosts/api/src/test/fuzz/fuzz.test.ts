import { fuzzReport, summaryOf } from '@quipu/wire/testing'
import { expect, test } from 'vitest'
import { fuzzApi } from './fuzz-api.fixture.ts'

/** `npx -y pnpm@12 fuzz` sets them. */
const { QUIPU_FUZZ_REQUESTS: asked, QUIPU_FUZZ_SEED: seed = '25' } = process.env
const requests = Number(asked ?? 2_000)
const requestsPerApi = 1_000
const days = 86_400_000

test(
  'requests made from the documents get answers that the documents describe, and money is conserved',
  async () => {
    const report = fuzzReport()
    for (let sent = 0; sent < requests; sent += requestsPerApi)
      await fuzzApi(Math.min(requestsPerApi, requests - sent), Number(seed) + sent, report)
    if (asked !== undefined) process.stdout.write(`${summaryOf(report)}\n`)
    expect(report.faults.slice(0, 20)).toEqual([])
    // Fewer would say that requests no longer reach what they are for.
    if (requests >= 2_000) expect(report.accepted.size).toBeGreaterThan(60)
  },
  days,
)
