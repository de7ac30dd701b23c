import { bob, Unavailable } from '@quipu/core'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type HttpQrNetwork, httpQrNetwork, type HttpQrNetworkOptions } from './http-qr-network.ts'
import { startHttpServer, startTcpServer, unusedUrl } from './servers.fixture.ts'

const at = new Date('2026-01-01T00:00:00.000Z')

function network(options: Pick<HttpQrNetworkOptions, 'url' | 'payTimeoutMs'>): HttpQrNetwork {
  const created = httpQrNetwork({ token: 'network token', ...options })
  onTestFinished(() => created.stop())
  return created
}

async function readAll(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

const deadline = (): AbortSignal => new AbortController().signal

const row = {
  reference: 'po_1',
  network_ref: 'n',
  network_payment_id: 'p',
  amount: '1.00',
  paid_at: '2026-01-01T00:00:00Z',
  state: 'paid',
}
test.each([
  ['an amount that is a number', { data: [{ ...row, amount: 1 }], next_cursor: null }],
  ['a new state', { data: [{ ...row, state: 'pending' }], next_cursor: null }],
  ['no cursor', { data: [row] }],
  ['a cursor that repeats', { data: [row], next_cursor: 'again' }],
  ['a list', [row]],
])('a statement with %s throws Unavailable', async (_name, body) => {
  const { url } = await startHttpServer(200, JSON.stringify(body))
  const rows = network({ url }).statement(at, at)
  await expect(readAll(rows)).rejects.toThrow(Unavailable)
})

const read = {
  network_ref: 'n',
  amount_mode: 'closed',
  amount: '100.00',
  currency: 'BOB',
  description: null,
  merchant: { name: 'Shop', bank_code: '1016' },
  expires_at: null,
}
test.each([
  ['no network_ref', 200, { ...read, network_ref: '' }],
  ['a new mode', 200, { ...read, amount_mode: 'tip' }],
  ['a closed QR without an amount', 200, { ...read, amount: null }],
  ['a closed QR of zero', 200, { ...read, amount: '0.00' }],
  ['an open QR with an amount', 200, { ...read, amount_mode: 'open' }],
  ['an amount that is a number', 200, { ...read, amount: 100 }],
  ['an amount with an exponent', 200, { ...read, amount: '1e2' }],
  ['no currency', 200, { ...read, currency: null }],
  ['no merchant', 200, { ...read, merchant: null }],
  [
    'a merchant that PostgreSQL cannot store',
    200,
    { ...read, merchant: { name: '\0', bank_code: '1' } },
  ],
  ['a lone surrogate', 200, { ...read, merchant: { name: '\ud800', bank_code: '1' } }],
  ['an expiry without a time zone', 200, { ...read, expires_at: '2026-01-01T00:00:00' }],
  ['another status', 201, read],
  ['a redirect', 307, read],
  ['a refusal without a code', 422, {}],
  ['a server error', 500, { code: 'QR_INVALID' }],
])('a reading with %s throws Unavailable', async (_name, status, body) => {
  const { url } = await startHttpServer(status, JSON.stringify(body))
  await expect(network({ url }).readQr('x', deadline())).rejects.toThrow(Unavailable)
})

test('a reading in another currency is refused, also with an invalid amount', async () => {
  const { url } = await startHttpServer(
    200,
    JSON.stringify({ ...read, currency: 'USD', amount: '1' }),
  )
  const refused = { type: 'refused_qr', reason: 'QR_CURRENCY' }
  expect(await network({ url }).readQr('x', deadline())).toEqual(refused)
})

test('an empty description is read as null', async () => {
  const { url } = await startHttpServer(200, JSON.stringify({ ...read, description: '' }))
  expect(await network({ url }).readQr('x', deadline())).toMatchObject({ description: null })
})

test.each([
  ['another currency', { currency: 'USD', available: '1.00', at: '2026-01-01T00:00:00Z' }],
  ['an amount that is a number', { currency: 'BOB', available: 1, at: '2026-01-01T00:00:00Z' }],
  ['no time', { currency: 'BOB', available: '1.00', at: null }],
])('liquidity with %s throws Unavailable', async (_name, body) => {
  const { url } = await startHttpServer(200, JSON.stringify(body))
  await expect(network({ url }).liquidity()).rejects.toThrow(Unavailable)
})

test('a reference is escaped in the path', async () => {
  const { url, requests } = await startHttpServer(404, '{}')
  await network({ url }).status('../x?y#z', 'n')
  expect(requests[0]?.path).toBe('/v1/payments/..%2Fx%3Fy%23z')
})

test('without a network only reading, liquidity and statement throw', async () => {
  const unreachable = network({ url: await unusedUrl() })
  expect(await unreachable.status('po_1', 'n')).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
  expect(await unreachable.cancel('po_1', 'n')).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
  await expect(unreachable.liquidity()).rejects.toThrow(Unavailable)
})

test('random answer bytes make paying unknown, and never throw', async () => {
  let answer = Buffer.alloc(0)
  const { url } = await startTcpServer((socket, received) => {
    if (received.endsWith('}')) socket.end(answer)
  })
  const { pay } = network({ url, payTimeoutMs: 5_000 })
  const order = {
    reference: 'po_1',
    networkRef: 'n',
    content: 'x',
    amount: bob(1n),
    description: null,
  }
  const bytes = fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw))
  const head = fc.constantFrom('', 'HTTP/1.1 ', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\n\r\n')
  const answers = fc
    .tuple(head, bytes)
    .map(([head, raw]) => Buffer.concat([Buffer.from(head), raw]))
  await fc.assert(
    fc.asyncProperty(answers, async (bytes) => {
      answer = bytes
      expect(await pay(order)).toMatchObject({ type: 'unknown' })
    }),
  )
})
