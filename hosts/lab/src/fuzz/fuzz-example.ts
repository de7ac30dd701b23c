import { ExampleSettings, startExample } from '@quipu/example'
import { jsonLog, readSettings } from '@quipu/runtime'
import type { FuzzDocument } from './fuzz-operations.ts'
import { fuzz, type FuzzReport } from './fuzz-run.ts'

/** Fuzzes the example server, whose real time stands still. Faults of answers are added to the report. */
export async function fuzzExample(requests: number, seed: number, report: FuzzReport): Promise<void> {
  const settings = readSettings(ExampleSettings, { PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'true' })
  const startedAt = new Date()
  const example = await startExample(settings, jsonLog('silent'), () => startedAt)
  const served = (await (await fetch(`${example.url}/v1/openapi.json`)).json()) as FuzzDocument
  const target = {
    url: example.url,
    document: withoutReceivers(served),
    known: { address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', content: 'MOCK:OPEN' },
    credential: (number: number): Record<string, string> =>
      number < 96 ? { 'X-API-Key': `qpu_mock_${number % 3}` } : {},
  }
  await fuzz(target, { requests, seed }, report)
  const { status } = await fetch(`${example.url}/healthz`)
  if (status !== 200) report.faults.push(`/healthz answered ${status} after the run`)
  await example.stop()
}

/** Without webhooks: this server really sends to the URLs of requests. The API's fuzz test calls those operations. */
const withoutReceivers = (document: FuzzDocument): FuzzDocument => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/webhooks'))),
})
