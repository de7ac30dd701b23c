import { type ApiKeyScope, apiKeyScopes, cancelling, type NetworkCapabilities, type Stores, rate } from '@quipu/core'
import {
  adjustWallet,
  operatorToken as token,
  scriptedSweepChain,
  type ScriptedSweepChain,
  testOperatorTokens,
  testSignInKeys,
} from '@quipu/contracts'
import { sha256 } from '@quipu/core/adapter'
import type { NewOperatorToken } from '@quipu/core/operator'
import { type MemoryQrNetwork, memoryQrNetwork, memoryStores, type NetworkHooks } from '@quipu/memory'
import { networkCallbacks } from '@quipu/qr-network'
import { fixedRate } from '@quipu/rates'
import { jsonLog, type Logger, readSettings } from '@quipu/runtime'
import { background, systemIds, systemRandom } from '@quipu/core/system'
import { scriptedFaucet, sweepPortsOver, testTopUps } from './chain.fixture.ts'
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

export const base64Token = 'Zk3vQ0s-81xTn_0yJQ2mYc7LhE5uWbRa'

/** Olivia and Otto are admins, Omar an operator, Victor a viewer, Audrey an auditor. */
export const apiOperatorTokens = (): readonly NewOperatorToken[] => [
  ...testOperatorTokens(),
  token('olivia', 'admin', sha256(operatorToken)),
  token('otto', 'admin', sha256(base64Token)),
  token('omar', 'operator', sha256('operators')),
  token('victor', 'viewer', sha256('viewers')),
  token('audrey', 'auditor', sha256('auditors')),
]
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
  /** The chain of sweeps, unless `external` replaces it. */
  readonly sweepChain: ScriptedSweepChain
  /** The webhook receivers. */
  readonly webhooks: ScriptedWebhooks
  /** Sends due webhooks, as a worker does, until none is due. Does not step the clock. */
  deliver(): Promise<void>
  /** The log lines so far. */
  lines(): Json
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  operator(method: string, path: string, body?: unknown): Promise<Reply>
  tenant(options?: Partial<{ pricing: object; scopes: readonly ApiKeyScope[]; funds: bigint }>): Promise<TestTenant>
  settled(): Promise<boolean>
  /** Writes the log of requests, as a running process does every second. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export type ExternalPorts = Pick<
  AppPorts,
  'topUps' | 'chainReader' | 'addressFormat' | 'faucetChain' | 'sweepChain' | 'webhooks'
>

/**
 * The API over memory stores and real HTTP, on a clock that the test steps.
 *
 * @param env  settings, and `OPERATOR_LISTEN_PORT`, where a test has to know it before
 * @param external  replaces the scripted chain and receivers; `{}` for neither
 */
export async function testApi(
  env: Record<string, string> = {},
  external?: ExternalPorts,
  clock: SteppedClock = steppedClock(),
  capabilities: NetworkCapabilities = cancelling,
): Promise<TestApi> {
  const { now, monotonic, timer } = clock
  const memory = memoryStores({ now, operatorTokens: apiOperatorTokens(), signInKeys: testSignInKeys })
  const stores = overridable(memory)
  const hooks: Mutable<NetworkHooks> = {}
  const network = memoryQrNetwork({ now, hooks, capabilities })
  const rates = { ...fixedRate({ bid: rate(99_500n), now }) }
  const scripted = scriptedPorts(now)
  const { sweepChain, webhooks } = scripted
  const deliver = sendDue(stores, webhooks, now)
  const { log, lines } = testLog()
  const work = background((error) => log.error({ err: error }, 'background work failed'), timer)
  const base = { now, monotonic, timer, ids: systemIds, random: systemRandom }
  const system = { ...base, log, inBackground: work.run, isServing: () => true }
  const { OPERATOR_LISTEN_PORT: operatorPort, ...given } = env
  const settings = readSettings(AppSettings, { ...baseEnv, ...given })
  const apps = createApp(
    {
      stores: { ...stores, ping: () => stores.tenants.find('ten_').then(() => ({ now: now() })) },
      network,
      rates,
      ...(settings.ENVIRONMENT === 'sandbox' && { sandboxQrs: network }),
      callbacks: networkCallbacks({ secret: callbackSecret }),
      ...(external ?? scripted.ports),
      system,
    },
    settings,
  )
  const publicListener = await listen(apps.publicApp, anyPort, settings.DOCS_URL)
  const operatorAt = { ...anyPort, ...(operatorPort && { port: Number(operatorPort) }) }
  const operatorListener = await listen(apps.operatorApp, operatorAt, settings.OPERATOR_DOCS_URL)
  const { url } = publicListener
  const operator: TestApi['operator'] = (method, path, body) =>
    sendRequest(operatorListener.url + path, method, { token: operatorToken, body })

  return {
    url,
    operatorUrl: operatorListener.url,
    clock,
    stores,
    network,
    hooks,
    rates,
    sweepChain,
    webhooks,
    deliver,
    lines,
    operator,
    request: (method, path, options) => sendRequest(url + path, method, options),
    tenant: async ({ pricing = { margin_bps: 150 }, funds = 1000000000n, scopes = apiKeyScopes } = {}) => {
      const onboarded = await onboard(operator, pricing, scopes, approverAt(operatorListener.url))
      if (funds > 0n) await adjustWallet(memory, fundsOf(onboarded.id, funds))
      return tenantOf(url, onboarded)
    },
    settled: () => work.settled(6e4),
    flush: apps.journal.flush,
    stop: async () => {
      await Promise.all([publicListener.stop(1e3), operatorListener.stop(1e3)])
    },
  }
}

/** Approves as another admin than the one of `operator`. */
const approverAt = (operatorUrl: string) => (path: string) =>
  sendRequest(operatorUrl + path, 'POST', { token: base64Token })

/** The scripted chains and receivers. */
function scriptedPorts(now: SteppedClock['now']) {
  const sweepChain = scriptedSweepChain(() => now().getTime())
  const webhooks = scriptedWebhooks()
  const chains = { topUps: testTopUps, faucetChain: scriptedFaucet(now), sweepChain: sweepPortsOver(sweepChain) }
  return { sweepChain, webhooks, ports: { ...chains, webhooks } satisfies ExternalPorts }
}

/** Copies of the stores, whose methods a test may replace. */
const overridable = (stores: Stores): TestApi['stores'] =>
  Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, { ...store }])) as TestApi['stores']

const anyPort = { host: '127.0.0.1', port: 0 }

const baseEnv = { RATE_LIMIT_READS: 'off', RATE_LIMIT_WRITES: 'off', RATE_LIMIT_FAILED_KEYS: 'off' }

function testLog(): { log: Logger; lines: () => Json } {
  const texts: string[] = []
  const log = jsonLog('info', { write: (line) => void texts.push(line) })
  return { log, lines: (): Json => JSON.parse(`[${texts.join()}]`) }
}
