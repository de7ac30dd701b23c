import { type Logger, jsonLog, readSettings } from '@quipu/runtime'
import { ExampleSettings } from '../settings.ts'
import { startExample } from '../start-example.ts'

/** JSON of any shape. */
export type Json = ReturnType<typeof JSON.parse>

export type Reply = { readonly status: number; readonly headers: Headers; readonly json: Json }

export type Send = {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type TestExample = {
  readonly url: string
  ask(method: string, path: string, send?: Send): Promise<Reply>
  /** Requests of a new key. */
  newKey(): TestKey
  readonly realNow: () => Date
  /** Advances real time. */
  pass(ms: number): void
  stop(): Promise<void>
}

export type TestKey = {
  readonly key: string
  get(path: string): Promise<Json>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  resolve(content: string): Promise<Reply>
  /** Pays the content at a new quote. */
  pay(content: string, amount?: string): Promise<Reply>
  advance(seconds: number): Promise<Reply>
  /** The available balance. */
  available(): Promise<string>
}

let keys = 0

/**
 * The example server over HTTP, with a real time that a test can advance.
 *
 * @param time  `stopped`: real time advances by `pass` only
 */
export async function testExample(
  env: Record<string, string> = {},
  time: 'running' | 'stopped' = 'running',
): Promise<TestExample> {
  const settings = readSettings(ExampleSettings, { PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'true', ...env })
  let passedMs = 0
  const startedAt = Date.now()
  const realNow = (): Date => new Date((time === 'running' ? Date.now() : startedAt) + passedMs)
  const { url, stop } = await startExample(settings, silence, realNow)
  const ask: TestExample['ask'] = (method, path, send) => request(url + path, method, send)
  return {
    url,
    ask,
    realNow,
    newKey: () => keyAt(ask, `qpu_mock_${++keys}`),
    pass: (ms) => {
      passedMs += ms
    },
    stop,
  }
}

const silence: Logger = jsonLog('silent')

export function keyAt(ask: TestExample['ask'], key: string): TestKey {
  let orders = 0
  const post: TestKey['post'] = (path, body, headers = {}) => ask('POST', path, { key, body, headers })
  const get: TestKey['get'] = async (path) => {
    const reply = await ask('GET', path, { key })
    return reply.json as unknown
  }
  return {
    key,
    get,
    post,
    resolve: (content) => post('/v1/payouts/qr/resolve', { content }),
    async pay(content, amount = '100.00') {
      const quote = await post('/v1/quotes', { target: { currency: 'BOB', amount } })
      return post('/v1/payouts', {
        transaction_id: `order-${++orders}`,
        type: 'qr',
        quote_id: (quote.json as { id: string }).id,
        qr: { content },
      })
    },
    advance: (seconds) => post('/v1/mock/clock/advance', { seconds }),
    available: async () => ((await get('/v1/wallets')) as { available: string }).available,
  }
}

async function request(url: string, method: string, send: Send = {}): Promise<Reply> {
  const { key, body, headers } = send
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, json }
}

/** Polls until the condition holds. */
export async function until<T>(read: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await read()
    if (isDone(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
