import { apiKeyScopes, defaultResumeSettings, resumePayout } from '@quipu/core'
import { adjustWallet, testSignInKeys } from '@quipu/contracts'
import { createLogin, openProxy } from '@quipu/embedded-postgres'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { bootstrapOperatorToken, migrate, postgresStores, type PostgresStores, setSignInKeys } from '@quipu/postgres'
import { httpQrNetwork } from '@quipu/qr-network'
import { jsonLog, readSettings } from '@quipu/runtime'
import { systemClock, systemIds, systemMonotonic } from '@quipu/core/system'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { encodeEvent } from '@quipu/wire'
import { ApiSettings } from '../../settings/settings.ts'
import { type Api, startApi } from '../../start-api.ts'
import { apiOperatorTokens, callbackSecret, operatorToken } from './api.fixture.ts'
import { sendRequest, type Json, type Reply } from './http-client.fixture.ts'
import { fundsOf, onboard, tenantOf, type TestTenant } from './tenant.fixture.ts'

const processRole = { name: 'quipu_test_process', memberOf: 'quipu_process' }

/** A migrated database of the test's own. */
export type ApiDatabase = {
  /** For the role that processes run as, a member of `quipu_process` and of nothing else. */
  readonly url: string
  /** For the superuser. */
  readonly ownerUrl: string
  drop(): Promise<void>
}

export async function apiDatabase(): Promise<ApiDatabase> {
  const { url: ownerUrl, drop } = await testDatabase({
    templateName: 'quipu_api',
    migrate: async (draft) => {
      await migrate(draft)
      await createLogin(draft, processRole)
      await setSignInKeys(draft, testSignInKeys)
      for (const issued of apiOperatorTokens()) await bootstrapOperatorToken(draft, issued)
    },
  })
  const url = new URL(ownerUrl)
  url.username = processRole.name
  return { url: url.href, ownerUrl, drop }
}

export type PostgresApi = {
  readonly api: Api
  readonly simulator: QrNetworkSimulator
  /** The lines that the API has logged so far. */
  readonly lines: readonly Json[]
  readonly database: Omit<ApiDatabase, 'drop'>
  /** Cuts the API's connections to the database and refuses new ones, until `restoreDatabase`. */
  cutDatabase(): Promise<void>
  restoreDatabase(): Promise<void>
  /** The test's own stores, which `cutDatabase` leaves alone. */
  readonly stores: PostgresStores
  operator(method: string, path: string, body?: unknown): Promise<Reply>
  /** @param funds  micro-USDT */
  tenant(funds?: bigint): Promise<TestTenant>
  /** Resumes payouts, as a worker does, until the condition holds. */
  workUntil(isDone: () => Promise<boolean>): Promise<void>
  stop(): Promise<void>
}

/** The API over PostgreSQL 18 and a simulated QR network, as a process runs it. */
export async function postgresApi(env: Record<string, string> = {}): Promise<PostgresApi> {
  const { drop, ...database } = await apiDatabase()
  const proxy = await openProxy(database.url)
  let isCut = false
  const token = 'the token of the network'
  const simulator = await startQrNetwork({ token, callbackSecret, lateMs: 100 })
  const settings = readSettings(ApiSettings, {
    DATABASE_URL: proxy.url,
    PORT: '0',
    OPERATOR_PORT: '0',
    QR_NETWORK_URL: simulator.url,
    QR_NETWORK_TOKEN: token,
    QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    RATE_SOURCE: 'fixed',
    RATE_BID: '9.9500',
    RATE_LIMIT_READS: 'off',
    RATE_LIMIT_WRITES: 'off',
    DRAIN_SECONDS: '0',
    STOP_WITHIN_MS: '10000',
    ...env,
  })
  const lines: Json[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line))
  const api = await startApi(settings, jsonLog('info', { write }))
  simulator.setCallbackUrl(`${api.url}/network/callbacks`)
  const stores = postgresStores({ url: database.url })
  const network = httpQrNetwork({ url: simulator.url, token })
  const work = worker(stores, network)
  const operator: PostgresApi['operator'] = (method, path, body) =>
    sendRequest(api.operatorUrl + path, method, { token: operatorToken, body })
  const cutDatabase = async (): Promise<void> => {
    isCut = true
    await proxy.shut()
  }

  return {
    api,
    simulator,
    lines,
    database,
    stores,
    operator,
    cutDatabase,
    restoreDatabase: async () => {
      isCut = false
      await proxy.open()
    },
    tenant: async (funds = 1000000000n) => {
      const onboarded = await onboard(operator, { margin_bps: 150 }, apiKeyScopes, (path) => operator('POST', path))
      if (funds > 0n) await adjustWallet(stores, fundsOf(onboarded.id, funds))
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
      if (!isCut) await cutDatabase()
      await drop()
    },
  }
}

function worker(
  { payouts, networkCalls, networks, differences, reconciliations }: PostgresStores,
  network: ReturnType<typeof httpQrNetwork>,
): () => Promise<void> {
  const raiseAlert = (): void => undefined
  const system = { ids: systemIds, now: systemClock, monotonic: systemMonotonic, raiseAlert }
  const ports = { payouts, networkCalls, networks, differences, reconciliations, network, encodeEvent, ...system }
  const resume = resumePayout(ports, defaultResumeSettings)
  return async () => {
    const claimed = await payouts.claimDue(50, 15)
    await Promise.all(claimed.map(resume))
  }
}
