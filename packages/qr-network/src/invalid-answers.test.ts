import { bob, Unavailable } from '@quipu/core'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type HttpQrNetwork, httpQrNetwork, type HttpQrNetworkOptions } from './http-qr-network.ts'
import { startHttpServer, startTcpServer, unusedUrl } from '@quipu/http-json/testing'

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
  ['an empty network_ref', { network_ref: '' }, 'network_ref'],
  ['a damaged network_ref', { network_ref: 'n\uFFFD' }, 'network_ref'],
  ['a new mode', { amount_mode: 'tip' }, 'amount_mode'],
  ['a closed QR without an amount', { amount: null }, 'amount'],
  ['a closed QR of zero', { amount: '0.00' }, 'amount'],
  ['an open QR with an amount', { amount_mode: 'open' }, 'amount'],
  ['an amount that is a number', { amount: 100 }, 'amount'],
  ['an amount with an exponent', { amount: '1e2' }, 'amount'],
  ['no currency', { currency: null }, 'currency'],
  ['no merchant', { merchant: null }, 'merchant'],
])('a reading with %s is refused: a retry would read the same', async (_name, change, member) => {
  const { url } = await startHttpServer(200, JSON.stringify({ ...read, ...change }))
  expect(await network({ url }).readQr('x', deadline())).toEqual({
    type: 'refused_qr',
    reason: `invalid answer: ${member}`,
  })
})

test.each([
  ['no reading', 200, {}],
  ['a page of a gateway', 200, '<html>'],
  ['another status', 201, read],
  ['a redirect', 307, read],
  ['a refusal without a code', 422, {}],
  ['a server error', 500, { code: 'QR_INVALID' }],
])('%s throws Unavailable', async (_name, status, body) => {
  const { url } = await startHttpServer(status, JSON.stringify(body))
  await expect(network({ url }).readQr('x', deadline())).rejects.toThrow(Unavailable)
})

const shop = read.merchant
test.each([
  ['NUL at its end', { merchant: { ...shop, name: 'Tienda\0\0\0' } }, 'Tienda'],
  ['half an emoji', { merchant: { ...shop, name: 'Pizza \ud83c' } }, 'Pizza \uFFFD'],
  ['nothing', { merchant: { ...shop, name: null } }, ''],
  ['300 emojis', { merchant: { ...shop, name: '🍕'.repeat(300) } }, '🍕'.repeat(255)],
])('a name with %s is cleaned', async (_name, change, name) => {
  const { url } = await startHttpServer(200, JSON.stringify({ ...read, ...change }))
  expect(await network({ url }).readQr('x', deadline())).toMatchObject({
    type: 'read',
    merchant: { name, bankCode: '1016' },
  })
})

test('a reading in ISO-8859-1 is read, with U+FFFD in its texts', async () => {
  const body = JSON.stringify({ ...read, merchant: { ...shop, name: 'Peña' }, description: 'ñ' })
  const { url } = await startHttpServer(200, Buffer.from(body, 'latin1'))
  expect(await network({ url }).readQr('x', deadline())).toMatchObject({
    type: 'read',
    merchant: { name: 'Pe\uFFFDa' },
    description: '\uFFFD',
  })
})

test.each([
  ['a description with NUL', { description: 'abc\0' }, { description: 'abc' }],
  ['no description', { description: undefined }, { description: null }],
  [
    'a bank code that is a number',
    { merchant: { ...shop, bank_code: 1016 } },
    { merchant: { name: 'Shop', bankCode: '1016' } },
  ],
  [
    'an expiry in the zone of Bolivia',
    { expires_at: '2026-01-01T00:00:00-04:00' },
    { expiresAt: new Date('2026-01-01T04:00:00Z') },
  ],
  ['no expiry', { expires_at: undefined }, { expiresAt: null }],
  ['an expiry without a zone', { expires_at: '2026-01-01T00:00:00' }, { expiresAt: null }],
  ['an expiry in the year 0', { expires_at: '0000-06-01T00:00:00Z' }, { expiresAt: null }],
])('a reading with %s is read', async (_name, change, found) => {
  const { url } = await startHttpServer(200, JSON.stringify({ ...read, ...change }))
  expect(await network({ url }).readQr('x', deadline())).toMatchObject({ type: 'read', ...found })
})

test('an odd byte in another member does not make a payment unknown', async () => {
  const payment = { reference: 'po_1', network_ref: 'n', outcome: 'paid', final: true }
  const paid = { ...payment, amount: '1.00', currency: 'BOB', network_payment_id: 'p' }
  const body = Buffer.from(JSON.stringify({ ...paid, teller: 'Peña' }), 'latin1')
  const { url } = await startHttpServer(200, body)
  const answer = { type: 'paid', amount: bob(1_00n), paymentId: 'p' }
  expect(await network({ url }).status('po_1', 'n')).toEqual(answer)
  const odd = JSON.stringify({ ...paid, network_payment_id: 'ñ' })
  const { url: other } = await startHttpServer(200, Buffer.from(odd, 'latin1'))
  expect(await network({ url: other }).status('po_1', 'n')).toMatchObject({ type: 'unknown' })
})

test('a line of a statement with an odd reference is shown, and is no reference of ours', async () => {
  const data = [{ ...row, reference: 'po_1\0', paid_at: '2026-01-01T00:00:00-04:00' }]
  const { url } = await startHttpServer(200, JSON.stringify({ data, next_cursor: null }))
  const lines = []
  for await (const line of network({ url }).statement(at, at)) lines.push(line)
  expect(lines).toMatchObject([{ reference: 'po_1\uFFFD', paidAt: new Date('2026-01-01T04:00:00Z') }])
})

test('a reading in another currency is refused, also with an invalid amount', async () => {
  const { url } = await startHttpServer(200, JSON.stringify({ ...read, currency: 'USD', amount: '1' }))
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
  expect(await unreachable.cancel?.('po_1', 'n')).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
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
    amountMode: 'closed',
    amount: bob(1n),
    description: null,
  } as const
  const bytes = fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw))
  const head = fc.constantFrom('', 'HTTP/1.1 ', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\n\r\n')
  const answers = fc.tuple(head, bytes).map(([head, raw]) => Buffer.concat([Buffer.from(head), raw]))
  await fc.assert(
    fc.asyncProperty(answers, async (bytes) => {
      answer = bytes
      expect(await pay(order)).toMatchObject({ type: 'unknown' })
    }),
  )
})
