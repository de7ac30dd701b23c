import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { keyCacheSeconds } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { ownWallet } from '../harness/chain.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

type Opened = { readonly socket: Socket; send(body: string): Promise<Json> }

/** Sends the headers of a request. Resolves when the API has authenticated it. */
async function opened(method: string, path: string, body: string): Promise<Opened> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  const { apiKeys } = api.stores
  const { findCaller } = apiKeys
  const looked = new Promise<void>((resolve) => {
    apiKeys.findCaller = async (hash) => {
      const caller = await findCaller(hash)
      setImmediate(resolve)
      return caller
    }
  })
  api.clock.step(5_000) // No key is cached any more: the lookup shows that the headers have arrived.
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `X-API-Key: ${tenant.key}`,
    'Idempotency-Key: once',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await looked
  apiKeys.findCaller = findCaller
  return {
    socket,
    async send() {
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
      socket.write(body)
      await once(socket, 'close')
      return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    },
  }
}

const revoke = async (): Promise<void> => {
  const { status } = await api.operator('DELETE', `/operator/v1/api-keys/${tenant.keyId}`)
  expect(status).toBe(204)
}
const suspend = async (): Promise<void> => {
  const { status } = await api.operator('POST', `/operator/v1/tenants/${tenant.id}/suspend`, { reason: 'a drill' })
  expect(status).toBe(200)
}
const payouts = async (): Promise<readonly unknown[]> => (await api.stores.payouts.list(tenant.id, { limit: 10 })).items

test.each([
  ['revoked', revoke],
  ['of a suspended tenant', suspend],
])('a key that is %s between headers and body pays nothing', async (_, end) => {
  const order = JSON.stringify(await tenant.order())
  const request = await opened('POST', '/v1/payouts', order)
  await end()
  const { error } = await request.send(order)
  expect(error.code).toBe('AUTHENTICATION_FAILED')
  expect(await payouts()).toEqual([])
})

const target = { currency: 'BOB', amount: '100.00' }

test.each([
  ['POST', '/v1/payouts/qr/resolve', { content: 'x' }],
  ['POST', '/v1/quotes', { target }],
  ['POST', '/v1/sandbox/qr-codes', { amount_mode: 'open' }],
  ['POST', '/v1/sandbox/faucet', { chain: 'tron', address: 'T', amount: '1.00' }],
  ['POST', '/v1/webhooks', { url: 'https://example.com' }],
  ['PATCH', '/v1/webhooks/we_1', { url: 'https://example.com' }],
  ['POST', '/v1/webhooks/we_1/test', {}],
  ['POST', '/v1/webhooks/we_1/pause', {}],
  ['POST', '/v1/webhooks/we_1/replay', { since: '2026-01-01T00:00:00Z' }],
  ['POST', '/v1/webhooks/we_1/reactivate', {}],
  ['POST', '/v1/webhooks/we_1/rotate-secret', {}],
  ['POST', '/v1/webhooks/we_1/deliveries/dlv_1/resend', {}],
])('%s %s authenticates again after its body', async (method, path, json) => {
  const body = JSON.stringify(json)
  const request = await opened(method, path, body)
  await revoke()
  expect((await request.send(body)).error.code).toBe('AUTHENTICATION_FAILED')
})

test('a request reads its key from the store again only after 5 s', async () => {
  const body = JSON.stringify({ target })
  let lookups = 0
  const { apiKeys } = api.stores
  const { findCaller } = apiKeys
  for (const [ms, expected] of [
    [keyCacheSeconds * 1_000 - 1, 0],
    [keyCacheSeconds * 1_000, 1],
  ] as const) {
    const request = await opened('POST', '/v1/quotes', body)
    lookups = 0
    apiKeys.findCaller = (hash) => {
      lookups += 1
      return findCaller(hash)
    }
    api.clock.step(ms)
    expect(await request.send(body)).toMatchObject({ target })
    expect(lookups).toBe(expected)
    apiKeys.findCaller = findCaller
  }
})

test('a payment cap that is lowered between headers and body applies', async () => {
  const order = JSON.stringify(await tenant.order())
  const request = await opened('POST', '/v1/payouts', order)
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, { payment_cap_bob: '1' })
  expect(await request.send(order)).toMatchObject({ error: { code: 'AMOUNT_EXCEEDS_PROVIDER_LIMIT' } })
})

test.each([
  ['revoked', revoke],
  ['of a suspended tenant', suspend],
])('a key that is %s changes nothing at once, though it reads for 5 s', async (_, end) => {
  const order = await tenant.order()
  await end()
  for (const [path, body] of [
    ['/v1/payouts', order],
    ['/v1/quotes', { target }],
    ['/v1/payouts/qr/resolve', { content: 'x' }],
    ['/v1/webhooks', { url: 'https://example.com' }],
    ['/v1/sandbox/faucet', { chain: 'tron', address: ownWallet, amount: '1.00' }],
    ['/v1/sandbox/qr-codes', { amount_mode: 'open' }],
  ] as const) {
    const reply = await tenant.post(path, body, { headers: { 'Idempotency-Key': 'once' } })
    expect([path, reply.status, reply.code]).toEqual([path, 401, 'AUTHENTICATION_FAILED'])
  }
  expect(await payouts()).toEqual([])
})

test.each([
  ['daily_limit_usdt', '1.00', 'DAILY_LIMIT_EXCEEDED'],
  ['payment_cap_bob', '1.00', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT'],
])('a lowered %s applies to the next payout', async (member, value, code) => {
  await tenant.get('/v1/wallets') // The tenant is cached.
  const order = await tenant.order()
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, { [member]: value })
  const reply = await tenant.post('/v1/payouts', order)
  expect(reply.json).toMatchObject({ status: 'cancelled', quote: null, error: { code } })
})

test.each<[string, string, object, () => void]>([
  [
    'resolves',
    '/v1/payouts/qr/resolve',
    { content: 'x' },
    () => {
      const { readQr } = api.network
      api.network.readQr = async (...args) => revoke().then(() => readQr(...args))
    },
  ],
  [
    'quotes',
    '/v1/quotes',
    { target },
    () => {
      const { current } = api.rates
      api.rates.current = () => revoke().then(current)
    },
  ],
  [
    'sends from the faucet',
    '/v1/sandbox/faucet',
    { chain: 'tron', address: ownWallet, amount: '1.00' },
    () => {
      const { usage } = api.stores.faucet
      api.stores.faucet.usage = (...args) => revoke().then(() => usage(...args))
    },
  ],
  [
    'registers a webhook',
    '/v1/webhooks',
    { url: 'https://example.com' },
    () => {
      api.webhooks.checkUrl = () => revoke().then(() => null)
    },
  ],
])('a key that is revoked during the request %s nothing', async (_, path, body, slow) => {
  slow()
  const headers = { 'Idempotency-Key': 'once' }
  const reply = await tenant.post(path, body, { headers })
  expect([reply.status, reply.code]).toEqual([401, 'AUTHENTICATION_FAILED'])
})

test('a key that is revoked while the QR is read pays nothing, and the quote stays open', async () => {
  const order = await tenant.order()
  const { readQr } = api.network
  api.network.readQr = async (...args) => {
    await revoke()
    return readQr(...args)
  }
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([401, 'AUTHENTICATION_FAILED'])
  expect(await payouts()).toEqual([])
  const quote = await api.stores.quotes.find(tenant.id, order.quote_id)
  expect(quote?.status).toBe('open')
})
