import { defaultResumeSettings, resumePayout, apiKeyScopes, sha256 } from '@quipu/core'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate, postgresStores, type PostgresStores } from '@quipu/postgres'
import { httpQrNetwork } from '@quipu/qr-network'
import { jsonLog, readSettings, systemClock, systemIds } from '@quipu/runtime'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { encodeEvent } from '@quipu/wire'
import { callbackSecret, operatorToken } from './api.fixture.ts'
import { cuttableDatabase, type CuttableDatabase } from './cuttable-database.fixture.ts'
import { ask, type Json, type Reply } from './http-client.fixture.ts'
import { ApiSettings } from '../../settings/settings.ts'
import { type Api, startApi } from '../../start-api.ts'
import { gift, onboard, tenantOf, type TestTenant } from './tenant.fixture.ts'

export type PostgresApi = {
  readonly api: Api
  readonly simulator: QrNetworkSimulator
  /** What the API has logged so far. */
  readonly lines: readonly Json[]
  readonly database: CuttableDatabase
  /** The test's own way to the records, which nothing cuts. */
  readonly stores: PostgresStores
  operator(method: string, path: string, body?: unknown): Promise<Reply>
  /** @param funds  micro-USDT */
  tenant(funds?: bigint): Promise<TestTenant>
  /** Resumes payouts, as a worker does, until the condition holds. */
  workUntil(isDone: () => Promise<boolean>): Promise<void>
  stop(): Promise<void>
}

/** The API as it runs: PostgreSQL 18 on one side, a QR network over HTTP on the other. */
export async function postgresApi(env: Record<string, string> = {}): Promise<PostgresApi> {
  const { url, drop } = await testDatabase({ templateName: 'quipu_api', migrate })
  const database = await cuttableDatabase(url)
  const token = 'the token of the network'
  const simulator = await startQrNetwork({ token, callbackSecret, lateMs: 100 })
  const settings = readSettings(ApiSettings, {
    DATABASE_URL: database.url,
    PORT: '0',
    OPERATOR_PORT: '0',
    QR_NETWORK_URL: simulator.url,
    QR_NETWORK_TOKEN: token,
    QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    RATE_SOURCE: 'fixed',
    RATE_BID: '9.9500',
    RATE_LIMIT_READS: 'off',
    RATE_LIMIT_WRITES: 'off',
    OPERATOR_TOKENS: `olivia:admin:${sha256(operatorToken)}`,
    STOP_WITHIN_MS: '10000',
    ...env,
  })
  const lines: Json[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line))
  const api = await startApi(settings, jsonLog('info', { write }))
  simulator.setCallbackUrl(`${api.url}/network/callbacks`)
  const stores = postgresStores({ url })
  const network = httpQrNetwork({ url: simulator.url, token })
  const work = worker(stores, network)
  const operator: PostgresApi['operator'] = (method, path, body) =>
    ask(api.operatorUrl + path, method, { token: operatorToken, body })

  return {
    ...{ api, simulator, lines, database, stores, operator },
    tenant: async (funds = 1_000_000_000n) => {
      const onboarded = await onboard(operator, { margin_bps: 150 }, apiKeyScopes)
      if (funds > 0n) await stores.wallets.adjust(gift(onboarded.id, funds))
      return tenantOf(api.url, onboarded)
    },
    workUntil: async (isDone) => {
      while (!(await isDone())) await work()
    },
    stop: async () => {
      await api.stop()
      await simulator.stop()
      await network.stop()
      await stores.close()
      await database.close()
      await drop()
    },
  }
}

function worker(
  { payouts }: PostgresStores,
  network: ReturnType<typeof httpQrNetwork>,
): () => Promise<void> {
  const raiseAlert = (): void => undefined
  const ports = { payouts, network, encodeEvent, ids: systemIds, now: systemClock, raiseAlert }
  const resume = resumePayout(ports, defaultResumeSettings)
  return async () => {
    const claimed = await payouts.claimDue(50, 15)
    await Promise.all(claimed.map(resume))
  }
}
