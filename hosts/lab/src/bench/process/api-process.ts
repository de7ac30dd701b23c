import 'reflect-metadata'
import { AppSettings, createApp, listen } from '@quipu/api'
import { cancelling, type QrNetwork, rate } from '@quipu/core'
import { postgresStores } from '@quipu/postgres'
import { httpQrNetwork } from '@quipu/qr-network'
import { fixedRate } from '@quipu/rates'
import { jsonLog } from '@quipu/runtime'
import { systemClock, systemPorts, systemTimer } from '@quipu/core/system'
import { exportTraces } from '@quipu/tracing/sdk'
import { target } from '../data/tenants-and-quotes.ts'
import { countQueries, type QueryCounts } from './query-counts.ts'

/** The reply to any message: measurements since the last one. */
export type ApiReport = {
  readonly port: number
  readonly operatorPort: number
  /** Peak resident memory in MB. */
  readonly rssMb: number
  readonly queries: QueryCounts
}

/** Reads every content as a QR of the benchmark's amount, and pays immediately, in this process. */
const immediate: Omit<QrNetwork, 'liquidity'> = {
  identity: 'bench',
  capabilities: cancelling,
  readQr: async (content) => ({
    type: 'read',
    networkRef: content,
    amountMode: 'closed',
    amount: target,
    merchant: { name: 'Bench', bankCode: '1001' },
    description: null,
    expiresAt: null,
  }),
  pay: async ({ reference, amount }) => ({ type: 'paid', amount, paymentId: reference }),
  status: async () => ({ type: 'not_seen' }),
  cancel: async () => ({ type: 'cancelled' }),
  statement: async function* () {},
}

const [databaseUrl = '', networkUrl = '', collector, ratio] = process.argv.slice(2)
const network = networkUrl === '' ? immediate : httpQrNetwork({ url: networkUrl, token: 'bench' })
const traces = await exportTraces({
  endpoint: collector,
  headers: undefined,
  sampler: 'parentbased_traceidratio',
  ratio: Number(ratio),
  serviceName: 'quipu-bench',
  instanceId: String(process.pid),
  report: (lost) => void process.stderr.write(`${JSON.stringify(lost)}\n`),
})
const queryCounts = countQueries()
const stores = postgresStores({ url: databaseUrl })
// As in production one line a request is written, here to nowhere.
const log = jsonLog('info', { write: () => undefined })
const system = { ...systemPorts({ onError: () => undefined }), log, isServing: () => true }
const settings = AppSettings.parse({ RATE_LIMIT_READS: 'off', RATE_LIMIT_WRITES: 'off' })
const rates = fixedRate({ bid: rate(99_500n), now: systemClock })
const { publicApp, operatorApp, journal } = createApp({ stores, network, rates, system }, settings)
const unwritten = (error: unknown): void => void process.stderr.write(`${String(error)}\n`)
const requestLog = journal.write({ timer: systemTimer, report: unwritten })
const listener = await listen(publicApp, { host: '127.0.0.1', port: 0 })
const operators = await listen(operatorApp, { host: '127.0.0.1', port: 0 })
const portOf = (url: string): number => Number(new URL(url).port)

let rssMax = 0
const sample = setInterval(() => (rssMax = Math.max(rssMax, process.memoryUsage().rss)), 250)
process.on('message', report)
process.once('SIGTERM', () => void stop())
report()

function report(): void {
  const [port, operatorPort] = [portOf(listener.url), portOf(operators.url)]
  const rssMb = Math.max(rssMax, process.memoryUsage().rss) / 2 ** 20
  process.send?.({ port, operatorPort, rssMb, queries: queryCounts() } satisfies ApiReport)
  rssMax = 0
}

async function stop(): Promise<void> {
  clearInterval(sample)
  await Promise.all([listener.stop(5_000), operators.stop(5_000)])
  await requestLog.stop()
  await stores.close()
  await traces.stop(2_000)
  process.disconnect?.()
}
