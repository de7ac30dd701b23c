import 'reflect-metadata'
import { AppSettings, createApp, listen } from '@quipu/api'
import { cancelling, type QrNetwork, rate } from '@quipu/core'
import { postgresStores } from '@quipu/postgres'
import { httpQrNetwork } from '@quipu/qr-network'
import { fixedRate } from '@quipu/rates'
import { jsonLog } from '@quipu/runtime'
import { systemClock, systemPorts, systemTimer } from '@quipu/core/system'
import { target } from '../data/tenants-and-quotes.ts'
import { countQueries, type QueryCounts } from './query-counts.ts'

/** The reply to any message: measurements since the last one. */
export type ApiReport = {
  readonly port: number
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

const [databaseUrl = '', networkUrl = ''] = process.argv.slice(2)
const network = networkUrl === '' ? immediate : httpQrNetwork({ url: networkUrl, token: 'bench' })
const queryCounts = countQueries()
const stores = postgresStores({ url: databaseUrl })
// As in production one line a request is written, here to nowhere.
const log = jsonLog('info', { write: () => undefined })
const system = { ...systemPorts({ onError: () => undefined }), log, isServing: () => true }
const limitsOff = AppSettings.parse({ RATE_LIMIT_READS: 'off', RATE_LIMIT_WRITES: 'off' })
const settings = { ...limitsOff, ENVIRONMENT: 'production' } as const
const rates = fixedRate({ bid: rate(99_500n), now: systemClock })
const { publicApp, journal } = createApp({ stores, network, rates, system }, settings)
const unwritten = (error: unknown): void => void process.stderr.write(`${String(error)}\n`)
const requestLog = journal.write({ timer: systemTimer, report: unwritten })
const listener = await listen(publicApp, { host: '127.0.0.1', port: 0 })

let rssMax = 0
const sample = setInterval(() => (rssMax = Math.max(rssMax, process.memoryUsage().rss)), 250)
process.on('message', report)
process.once('SIGTERM', () => void stop())
report()

function report(): void {
  const port = Number(new URL(listener.url).port)
  const rssMb = Math.max(rssMax, process.memoryUsage().rss) / 2 ** 20
  process.send?.({ port, rssMb, queries: queryCounts() } satisfies ApiReport)
  rssMax = 0
}

async function stop(): Promise<void> {
  clearInterval(sample)
  await listener.stop(5_000)
  await requestLog.stop()
  await stores.close()
  process.disconnect?.()
}
