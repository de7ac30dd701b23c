import { type ApiKeyScope, apiKeyScopes, type Stores } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import {
  type MemoryQrNetwork,
  memoryQrNetwork,
  memoryStores,
  type NetworkHooks,
} from '@quipu/memory'
import { networkCallbacks } from '@quipu/qr-network'
import { fixedRate } from '@quipu/rates'
import {
  background,
  jsonLog,
  type Logger,
  readSettings,
  systemIds,
  systemRandom,
} from '@quipu/runtime'
import { scriptedFaucet, type ScriptedFaucet, testTopUps } from './chain.fixture.ts'
import { steppedClock, type SteppedClock } from './clock.fixture.ts'
import { createApp } from '../../composition/create-app.ts'
import type { AppPorts } from '../../ports.ts'
import { sendRequest, type RequestOptions, type Json, type Reply } from './http-client.fixture.ts'
import { listen } from '../../http/listener.ts'
import { AppSettings } from '../../settings/settings.ts'
import { fundsOf, onboard, tenantOf, type TestTenant } from './tenant.fixture.ts'
import { scriptedWebhooks, type ScriptedWebhooks, sendDue } from './webhooks.fixture.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export const operatorToken = 'the-token-of-olivia'
export const callbackSecret = 'the secret of the callbacks'

export type TestApi = {
  readonly url: string
  readonly operatorUrl: string
  readonly clock: SteppedClock
  /** The stores that the API sees; a test may replace their methods. */
  readonly stores: { readonly [K in keyof Stores]: Mutable<Stores[K]> }
  readonly network: MemoryQrNetwork
  readonly hooks: Mutable<NetworkHooks>
  readonly rates: Mutable<ReturnType<typeof fixedRate>>
  /** The faucet's chain, unless the test has brought another. */
  readonly faucet: ScriptedFaucet
  /** The receivers of webhooks. */
  readonly webhooks: ScriptedWebhooks
  /** Sends what is due, as a worker does, until nothing is; the clock stands still. */
  deliver(): Promise<void>
  /** The lines of the log so far. */
  lines(): Json
  ask(method: string, path: string, given?: RequestOptions): Promise<Reply>
  operator(method: string, path: string, body?: unknown): Promise<Reply>
  tenant(
    given?: Partial<{ pricing: object; scopes: readonly ApiKeyScope[]; funds: bigint }>,
  ): Promise<TestTenant>
  settled(): Promise<boolean>
  stopServing(): void
  stop(): Promise<void>
}

export type ExternalPorts = Pick<AppPorts, 'topUps' | 'faucetChain' | 'webhooks'>

/**
 * The whole API on memory, over real HTTP, with its clock in the test's hands.
 *
 * @param outside  another outside than the scripted one; `{}` for no chain, and no webhooks
 */
export async function testApi(
  env: Record<string, string> = {},
  outside?: ExternalPorts,
  clock: SteppedClock = steppedClock(),
): Promise<TestApi> {
  const { now, monotonic, timer } = clock
  const memory = memoryStores({ now })
  const stores = Object.fromEntries(
    Object.entries(memory).map(([name, store]) => [name, { ...store }]),
  ) as TestApi['stores']
  const hooks: Mutable<NetworkHooks> = {}
  const network = memoryQrNetwork({ now, hooks })
  const rates = { ...fixedRate({ bid: 99_500n, now }) }
  const faucet = scriptedFaucet(now)
  const webhooks = scriptedWebhooks()
  const deliver = sendDue(stores, webhooks, now)
  const { log, lines } = testLog()
  const work = background((error) => log.error({ err: error }, 'background work failed'), timer)
  const serving = { yes: true }
  const isServing = (): boolean => serving.yes
  const base = { now, monotonic, timer, ids: systemIds, random: systemRandom }
  const system = { ...base, log, background: work, isServing }
  const settings = readSettings(AppSettings, { ...baseEnv, ...env })
  const apps = createApp(
    {
      stores: { ...stores, ping: () => stores.tenants.find('ten_').then(() => ({ now: now() })) },
      network,
      rates,
      ...(settings.ENVIRONMENT === 'sandbox' && { sandboxQrs: network }),
      callbacks: networkCallbacks({ secret: callbackSecret }),
      ...(outside ?? { topUps: testTopUps, faucetChain: faucet, webhooks }),
      system,
    },
    settings,
  )
  const publicly = await listen(apps.publicApp, anyPort)
  const privately = await listen(apps.operatorApp, anyPort)
  const { url } = publicly
  const operator: TestApi['operator'] = (method, path, body) =>
    sendRequest(privately.url + path, method, { token: operatorToken, body })

  return {
    url,
    operatorUrl: privately.url,
    ...{ clock, stores, network, hooks, rates, faucet, webhooks, deliver, lines, operator },
    ask: (method, path, given) => sendRequest(url + path, method, given),
    tenant: async ({ pricing = { margin_bps: 150 }, funds = 1_000_000_000n, ...given } = {}) => {
      const onboarded = await onboard(operator, pricing, given.scopes ?? apiKeyScopes)
      if (funds > 0n) await memory.wallets.adjust(fundsOf(onboarded.id, funds))
      return tenantOf(url, onboarded)
    },
    settled: () => work.settled(60_000),
    stopServing: () => {
      serving.yes = false
    },
    stop: async () => {
      await Promise.all([publicly.stop(1_000), privately.stop(1_000)])
    },
  }
}

const anyPort = { host: '127.0.0.1', port: 0 }

const baseEnv = {
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_LIMIT_FAILED_KEYS: 'off',
  OPERATOR_TOKENS: [
    `olivia:admin:${sha256(operatorToken)}`,
    `omar:operator:${sha256('operators')}`,
    `victor:viewer:${sha256('viewers')}`,
  ].join(),
}

function testLog(): { log: Logger; lines: () => Json } {
  const written: string[] = []
  const log = jsonLog('info', { write: (line) => void written.push(line) })
  return { log, lines: (): Json => JSON.parse(`[${written.join()}]`) }
}
