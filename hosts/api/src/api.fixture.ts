import { type Scope, scopes, sha256 } from '@quipu/core'
import {
  type MemoryQrNetwork,
  memoryQrNetwork,
  memoryStores,
  type MemoryStores,
  type NetworkHooks,
} from '@quipu/memory'
import { networkCallbacks } from '@quipu/qr-network'
import { fixedRate } from '@quipu/rates'
import { background, jsonLog, readSettings, systemIds, systemRandom } from '@quipu/runtime'
import { steppedClock, type SteppedClock } from './clock.fixture.ts'
import { createApp } from './create-app.ts'
import { ask, type Ask, type Reply } from './http-client.fixture.ts'
import { listen } from './listener.ts'
import { AppSettings } from './settings.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export const operatorToken = 'an operator’s token'.replace(/[^a-z]/g, '-')
export const callbackSecret = 'the secret of the callbacks'

/** A tenant with a key, and the requests that it makes. */
export type TestTenant = {
  readonly id: string
  readonly key: string
  readonly keyId: string
  get(path: string, given?: Ask): Promise<Reply>
  post(path: string, body: unknown, given?: Ask): Promise<Reply>
  /** The content of a fresh QR. */
  qr(request?: object): Promise<string>
  /** The id of a fresh quote. */
  quote(amount?: string, more?: object): Promise<string>
  /** The body of a payout at a fresh quote for a fresh QR, both of BOB 100.00. */
  order(over?: object, qr?: object): Promise<Order>
}

export type Order = {
  readonly transaction_id: string
  readonly type: 'qr'
  readonly quote_id: string
  readonly qr: { readonly content: string }
}

export type TestApi = {
  readonly url: string
  readonly operatorUrl: string
  readonly clock: SteppedClock
  /** The stores that the API sees; a test may replace their methods. */
  readonly stores: { readonly [K in keyof MemoryStores]: Mutable<MemoryStores[K]> }
  readonly network: MemoryQrNetwork
  readonly hooks: Mutable<NetworkHooks>
  readonly rates: Mutable<ReturnType<typeof fixedRate>>
  /** The lines of the log so far. */
  lines(): any[]
  ask(method: string, path: string, given?: Ask): Promise<Reply>
  operator(method: string, path: string, body?: unknown): Promise<Reply>
  tenant(given?: Partial<{ pricing: object; scopes: readonly Scope[]; funds: bigint }>): Promise<TestTenant>
  settled(): Promise<boolean>
  stopServing(): void
  stop(): Promise<void>
}

/** The whole API on memory, over real HTTP, with its clock in the test's hands. */
export async function testApi(env: Record<string, string> = {}): Promise<TestApi> {
  const clock = steppedClock()
  const { now, timer } = clock
  const memory = memoryStores({ now })
  const stores = Object.fromEntries(
    Object.entries(memory).map(([name, store]) => [name, { ...store }]),
  ) as TestApi['stores']
  const hooks: Mutable<NetworkHooks> = {}
  const network = memoryQrNetwork({ now, hooks })
  const rates = { ...fixedRate({ bid: 99_500n, now }) }
  const written: string[] = []
  const log = jsonLog('info', { write: (line) => void written.push(line) })
  const work = background((error) => log.error({ err: error }, 'background work failed'), timer)
  let isServing = true
  const settings = readSettings(AppSettings, {
    RATE_LIMIT_READS: 'off',
    RATE_LIMIT_WRITES: 'off',
    RATE_LIMIT_FAILED_KEYS: 'off',
    OPERATOR_TOKENS: `olivia:admin:${sha256(operatorToken)},victor:viewer:${sha256('viewers')}`,
    ...env,
  })
  const system = {
    now,
    timer,
    ids: systemIds,
    random: systemRandom,
    log,
    background: work,
    isServing: () => isServing,
  }
  const { publicApp, operatorApp } = createApp(
    {
      stores: { ...stores, ping: async () => void (await stores.tenants.find('ten_')) },
      network,
      rates,
      ...(settings.ENVIRONMENT === 'sandbox' && { sandboxQrs: network }),
      callbacks: networkCallbacks({ secret: callbackSecret }),
      system,
    },
    settings,
  )
  const anywhere = { host: '127.0.0.1', port: 0 }
  const listeners = [await listen(publicApp, anywhere), await listen(operatorApp, anywhere)]
  const [url = '', operatorUrl = ''] = listeners.map((listener) => listener.url)
  const operator: TestApi['operator'] = (method, path, body) =>
    ask(operatorUrl + path, method, { token: operatorToken, body })

  return {
    url,
    operatorUrl,
    clock,
    stores,
    network,
    hooks,
    rates,
    lines: () => written.map((line) => JSON.parse(line)),
    ask: (method, path, given) => ask(url + path, method, given),
    operator,
    tenant: async ({ pricing = { margin_bps: 150 }, funds = 1_000_000_000n, ...given } = {}) => {
      const { id, key, keyId } = await onboard(operator, pricing, given.scopes ?? scopes)
      if (funds > 0n) {
        const amount = { currency: 'USDT', minor: funds } as const
        const adjustment = { tenantId: id, direction: 'in', amount, reason: 'test' } as const
        await memory.wallets.adjust({ id: `adj-${id}`, actor: 'test', ...adjustment })
      }
      return tenantOf(url, { id, key, keyId })
    },
    settled: () => work.settled(60_000),
    stopServing: () => {
      isServing = false
    },
    stop: async () => {
      await Promise.all(listeners.map((listener) => listener.stop(1_000)))
    },
  }
}

/** A tenant with a key, made the way that an operator makes one. */
export async function onboard(
  operator: (method: string, path: string, body?: unknown) => Promise<Reply>,
  pricing: object,
  keyScopes: readonly Scope[],
): Promise<{ id: string; key: string; keyId: string }> {
  const created = await operator('POST', '/operator/v1/tenants', {
    legal_name: 'Ejemplo S.R.L.',
    technical_contact: { name: 'Ana Quispe', email: 'ana@example.com' },
    ...pricing,
  })
  const id: string = created.json.id
  const path = `/operator/v1/tenants/${id}/api-keys`
  const issued = await operator('POST', path, { name: 'backend', scopes: keyScopes })
  return { id, key: issued.json.key, keyId: issued.json.id }
}

let orders = 0

/** The requests of a tenant. */
export function tenantOf(
  url: string,
  { id, key, keyId }: Pick<TestTenant, 'id' | 'key' | 'keyId'>,
): TestTenant {
  const post: TestTenant['post'] = (path, body, given) =>
    ask(url + path, 'POST', { key, body, ...given })
  const qr: TestTenant['qr'] = async (request = {}) => {
    const closed = { amount_mode: 'closed', amount: '100.00' }
    const reply = await post('/v1/sandbox/qr-codes', { ...closed, ...request })
    return reply.json.content
  }
  const quote: TestTenant['quote'] = async (amount = '100.00', more = {}) => {
    const target = { currency: 'BOB', amount }
    return (await post('/v1/quotes', { target, ...more })).json.id
  }
  return {
    id,
    key,
    keyId,
    get: (path, given) => ask(url + path, 'GET', { key, ...given }),
    post,
    qr,
    quote,
    order: async (over = {}, wanted = {}) => ({
      transaction_id: `order-${++orders}`,
      type: 'qr',
      quote_id: await quote(),
      qr: { content: await qr(wanted) },
      ...over,
    }),
  }
}
