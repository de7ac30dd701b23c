import { bob, Unavailable } from '@quipu/core'
import type { PaymentOrder, QrRead } from '@quipu/core/adapter'
import { type QrNetworkSimulator, type QrRequest, startQrNetwork } from '@quipu/simulators'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type HttpQrNetwork, httpQrNetwork, type HttpQrNetworkOptions } from './http-qr-network.ts'
import { answering, nobody, talking } from './test-servers.ts'

const token = 'network token'
let simulator: QrNetworkSimulator
let clock: Date
let references = 0

beforeAll(async () => {
  simulator = await startQrNetwork({ token, callbackSecret: 'secret', now: () => clock })
})
beforeEach(async () => {
  clock = new Date('2026-01-01T00:00:00.000Z')
  await simulator.reset()
})
afterAll(() => simulator.stop())

function network(options: Partial<HttpQrNetworkOptions> = {}): HttpQrNetwork {
  const made = httpQrNetwork({ url: simulator.url, token, ...options })
  onTestFinished(() => made.stop())
  return made
}

const patience = (): AbortSignal => new AbortController().signal
const closed = { amount_mode: 'closed', amount: '100.00' } as const

/** An order for a QR of this scenario that the network has read. */
async function order(
  request: Partial<QrRequest> = {},
  { readQr } = network(),
): Promise<PaymentOrder> {
  const { content } = simulator.issueQr({ ...closed, ...request })
  const { networkRef } = (await readQr(content, patience())) as QrRead
  const reference = `po_${references++}`
  return { reference, networkRef, content, amount: bob(10_000n), description: 'Pago QR' }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

const timesPaid = (reference: string): number =>
  simulator.ledger(reference).payments[0]?.times_paid ?? 0

test('reads a closed QR', async () => {
  const { content } = simulator.issueQr({
    ...closed,
    merchant_name: 'Café Ñusta',
    description: 'Té',
  })
  expect(await network().readQr(content, patience())).toEqual({
    type: 'read',
    networkRef: expect.stringMatching(/^\d{20}$/) as string,
    amountMode: 'closed',
    amount: bob(10_000n),
    merchant: { name: 'Café Ñusta', bankCode: '1016' },
    description: 'Té',
    expiresAt: new Date('2026-01-02T00:00:00.000Z'),
  })
})

test('reads an open QR without a description', async () => {
  const { content } = simulator.issueQr({ amount_mode: 'open' })
  const read = await network().readQr(content, patience())
  expect(read).toMatchObject({ amountMode: 'open', amount: null, description: null })
})

test.each([
  ['expired', 'QR_EXPIRED'],
  ['used', 'QR_USED'],
  ['usd', 'QR_CURRENCY'],
] as const)('a QR that is %s is refused as %s', async (scenario, reason) => {
  const { content } = simulator.issueQr({ ...closed, scenario })
  expect(await network().readQr(content, patience())).toEqual({ type: 'refused_qr', reason })
})

test('content that is no QR is refused', async () => {
  const refused = { type: 'refused_qr', reason: 'QR_INVALID' }
  expect(await network().readQr('no QR', patience())).toEqual(refused)
})

test('reading cannot be done while the network is down, silent, or called off', async () => {
  const { content } = simulator.issueQr(closed)
  const { readQr } = network({ readTimeoutMs: 30 })
  for (const down of ['refuse', '503'] as const) {
    await simulator.setFaults({ down })
    await expect(readQr(content, patience())).rejects.toThrow(Unavailable)
  }
  await simulator.clearFaults()
  await simulator.setFaults({ hold: 'before_reading' })
  await expect(readQr(content, patience())).rejects.toThrow(Unavailable)
  const question = new AbortController()
  const asked = network().readQr(content, question.signal)
  await simulator.untilHeld(2)
  question.abort()
  await expect(asked).rejects.toThrow(Unavailable)
})

test.each([
  ['paid', { type: 'paid', amount: bob(10_000n), paymentId: 'QN0000000001' }],
  ['late', { type: 'late' }],
  ['refused', { type: 'refused_payment' }],
  ['refused_qr', { type: 'refused_qr' }],
  ['no_liquidity', { type: 'no_liquidity' }],
  ['limit', { type: 'limit' }],
  ['wrong_amount', { type: 'paid', amount: bob(10_100n), paymentId: 'QN0000000001' }],
  ['wrong_currency', { type: 'paid', amount: null, paymentId: 'QN0000000001' }],
  ['pay_then_drop', { type: 'unknown', reason: 'UND_ERR_SOCKET' }],
  ['pay_then_error', { type: 'unknown', reason: 'status 500, INTERNAL_ERROR' }],
  ['pay_then_garble', { type: 'unknown', reason: 'answer does not fit: body', breach: true }],
  ['drop_then_nothing', { type: 'unknown', reason: 'UND_ERR_SOCKET' }],
] as const)('paying a QR of the scenario %s answers so', async (scenario, answer) => {
  const { pay } = network()
  const asked = await order({ scenario })
  expect(await pay(asked)).toEqual(answer)
  expect(simulator.requests(asked.reference)[0]?.requests).toHaveLength(1)
})

test('an answer lost after paying is found by status, and paid once', async () => {
  const { pay, status, cancel } = network()
  const asked = await order({ scenario: 'pay_then_drop' })
  await pay(asked)
  const paid = { type: 'paid', amount: bob(10_000n), paymentId: 'QN0000000001' }
  expect(await status(asked.reference, asked.networkRef)).toEqual(paid)
  expect(await cancel(asked.reference, asked.networkRef)).toEqual(paid)
  expect(timesPaid(asked.reference)).toBe(1)
})

test('an order lost before it arrived is not seen, and the fence keeps it from being paid', async () => {
  const { pay, status, cancel } = network()
  const asked = await order({ scenario: 'drop_then_nothing' })
  await pay(asked)
  expect(await status(asked.reference, asked.networkRef)).toEqual({ type: 'not_seen' })
  expect(await cancel(asked.reference, asked.networkRef)).toEqual({ type: 'cancelled' })
  expect(await cancel(asked.reference, asked.networkRef)).toEqual({ type: 'cancelled' })
  expect(await status(asked.reference, asked.networkRef)).toEqual({ type: 'cancelled' })
  expect(await pay(asked)).toEqual({ type: 'cancelled' })
  expect(timesPaid(asked.reference)).toBe(0)
})

test('the same order again is the same payment; another under its reference is a matter for people', async () => {
  const { pay } = network()
  const asked = await order()
  const first = await pay(asked)
  expect(await pay(asked)).toEqual(first)
  expect(await pay({ ...asked, description: 'other' })).toEqual({
    type: 'unknown',
    reason: 'status 409, REFERENCE_REUSED',
    breach: true,
  })
  expect(timesPaid(asked.reference)).toBe(1)
})

test('50 equal orders at once are one payment', async () => {
  const { pay } = network({ connectionsMax: 50 })
  const asked = await order()
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay(asked)))
  expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['paid']))
  expect(timesPaid(asked.reference)).toBe(1)
})

test('an order that the network finds malformed was not sent', async () => {
  const asked = await order()
  expect(await network().pay({ ...asked, amount: bob(9_999n) })).toEqual({
    type: 'not_sent',
    reason: 'AMOUNT_MISMATCH',
  })
  expect(await network().pay({ ...asked, description: null })).toEqual({
    type: 'not_sent',
    reason: 'DESCRIPTION_REQUIRED',
  })
})

test('the description goes as it is given; the QR’s own comes first', async () => {
  const { pay } = network()
  const own = await order({ description: 'Pedido 7' })
  await pay({ ...own, description: null })
  const given = await order()
  await pay({ ...given, description: 'Almuerzo ñ' })
  expect(simulator.ledger(own.reference).payments[0]?.description).toBe('Pedido 7')
  expect(simulator.ledger(given.reference).payments[0]?.description).toBe('Almuerzo ñ')
})

test('an order to a network that takes no connection was not sent', async () => {
  const asked = await order()
  const { pay, status } = network()
  await simulator.setFaults({ down: 'refuse' })
  expect(await pay(asked)).toEqual({ type: 'not_sent', reason: 'ECONNREFUSED' })
  await simulator.clearFaults()
  expect(await status(asked.reference, asked.networkRef)).toEqual({ type: 'not_seen' })
})

test('no answer by the deadline is unknown, on either side of the payment', async () => {
  const { pay, status } = network({ payTimeoutMs: 50 })
  for (const [hold, found] of [
    ['before_paying', 'not_seen'],
    ['after_paying', 'paid'],
  ] as const) {
    await simulator.setFaults({ hold })
    const asked = await order()
    expect(await pay(asked)).toEqual({ type: 'unknown', reason: 'no answer within 50 ms' })
    expect(await status(asked.reference, asked.networkRef)).toMatchObject({ type: found })
    await simulator.clearFaults()
  }
})

test('a fence that races an order: either it is paid, or it never is', async () => {
  const { pay, cancel } = network()
  await simulator.setFaults({ hold: 'before_paying' })
  const asked = await order()
  const paying = pay(asked)
  await simulator.untilHeld()
  expect(await cancel(asked.reference, asked.networkRef)).toEqual({ type: 'cancelled' })
  simulator.release()
  expect(await paying).toEqual({ type: 'cancelled' })
  expect(timesPaid(asked.reference)).toBe(0)
})

test('a late payment ends as the status says', async () => {
  const { pay, status, cancel } = network()
  const asked = await order({ scenario: 'late' })
  await pay(asked)
  expect(await status(asked.reference, asked.networkRef)).toEqual({ type: 'late' })
  expect(await cancel(asked.reference, asked.networkRef)).toEqual({ type: 'late' })
  simulator.settle(asked.reference, 'refused_payment')
  const refused = { type: 'refused_payment' }
  expect(await status(asked.reference, asked.networkRef)).toEqual(refused)
})

test('asking with another network_ref than was paid with is unknown', async () => {
  const { pay, status, cancel } = network()
  const asked = await order()
  await pay(asked)
  const unknown = { type: 'unknown', reason: 'another payment', breach: true }
  expect(await status(asked.reference, 'another')).toEqual(unknown)
  expect(await cancel(asked.reference, 'another')).toEqual(unknown)
})

test('a wrong token: orders stay unknown, readings and liquidity cannot be had', async () => {
  const { readQr, pay, liquidity } = network({ token: 'wrong' })
  expect(await pay(await order())).toEqual({
    type: 'unknown',
    reason: 'status 401, UNAUTHORIZED',
    breach: true,
  })
  await expect(readQr('x', patience())).rejects.toThrow('status 401')
  await expect(liquidity()).rejects.toThrow('status 401')
})

test('liquidity is what the paying account holds', async () => {
  simulator.setBalance('1234.50')
  expect(await network().liquidity()).toEqual({ available: bob(123_450n), at: clock })
})

test('the statement has the payments that stand, oldest first, over all its pages', async () => {
  const paged = await startQrNetwork({
    token,
    callbackSecret: 'secret',
    now: () => clock,
    statementRowsMax: 2,
  })
  onTestFinished(() => paged.stop())
  const { pay, readQr, statement } = network({ url: paged.url })
  const paid: string[] = []
  for (let i = 0; i < 6; i++) {
    const { content } = paged.issueQr(closed)
    const { networkRef } = (await readQr(content, patience())) as QrRead
    const reference = `po_${i}`
    await pay({ reference, networkRef, content, amount: bob(10_000n), description: 'x' })
    paid.push(reference)
    clock = new Date(clock.getTime() + 1_000)
  }
  paged.settle('po_3', 'refused_payment', true)
  const period = [new Date('2026-01-01T00:00:01Z'), clock] as const
  const rows = await collect(statement(...period))
  expect(rows.map(({ reference }) => reference)).toEqual(['po_1', 'po_2', 'po_4', 'po_5'])
  expect(rows[0]).toEqual({
    reference: 'po_1',
    networkRef: expect.any(String) as string,
    paymentId: 'QN0000000002',
    amount: bob(10_000n),
    paidAt: new Date('2026-01-01T00:00:01Z'),
  })
})

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
  ['a cursor that leads nowhere', { data: [row], next_cursor: 'again' }],
  ['a list', [row]],
])('a statement with %s cannot be had', async (_name, body) => {
  const { url } = await answering(200, JSON.stringify(body))
  const rows = network({ url }).statement(clock, clock)
  await expect(collect(rows)).rejects.toThrow(Unavailable)
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
  ['closed without an amount', 200, { ...read, amount: null }],
  ['closed for nothing', 200, { ...read, amount: '0.00' }],
  ['open with an amount', 200, { ...read, amount_mode: 'open' }],
  ['an amount that is a number', 200, { ...read, amount: 100 }],
  ['an amount with an exponent', 200, { ...read, amount: '1e2' }],
  ['no currency', 200, { ...read, currency: null }],
  ['no merchant', 200, { ...read, merchant: null }],
  ['a merchant that no database keeps', 200, { ...read, merchant: { name: '\0', bank_code: '1' } }],
  ['half a character', 200, { ...read, merchant: { name: '\ud800', bank_code: '1' } }],
  ['an end without a zone', 200, { ...read, expires_at: '2026-01-01T00:00:00' }],
  ['another status', 201, read],
  ['a redirect', 307, read],
  ['a refusal without a code', 422, {}],
  ['a fault', 500, { code: 'QR_INVALID' }],
])('a reading with %s cannot be had', async (_name, status, body) => {
  const { url } = await answering(status, JSON.stringify(body))
  await expect(network({ url }).readQr('x', patience())).rejects.toThrow(Unavailable)
})

test('a reading in another currency is refused, whatever its amount looks like', async () => {
  const { url } = await answering(200, JSON.stringify({ ...read, currency: 'USD', amount: '1' }))
  const refused = { type: 'refused_qr', reason: 'QR_CURRENCY' }
  expect(await network({ url }).readQr('x', patience())).toEqual(refused)
})

test('an empty description is none: the network demands one from us then', async () => {
  const { url } = await answering(200, JSON.stringify({ ...read, description: '' }))
  expect(await network({ url }).readQr('x', patience())).toMatchObject({ description: null })
})

test.each([
  ['dollars', { currency: 'USD', available: '1.00', at: '2026-01-01T00:00:00Z' }],
  ['a number', { currency: 'BOB', available: 1, at: '2026-01-01T00:00:00Z' }],
  ['no time', { currency: 'BOB', available: '1.00', at: null }],
])('liquidity in the form of %s cannot be had', async (_name, body) => {
  const { url } = await answering(200, JSON.stringify(body))
  await expect(network({ url }).liquidity()).rejects.toThrow(Unavailable)
})

test('a reference is one part of the path, whatever is in it', async () => {
  const { url, seen } = await answering(404, '{}')
  await network({ url }).status('../x?y#z', 'n')
  expect(seen[0]?.path).toBe('/v1/payments/..%2Fx%3Fy%23z')
})

test('without a network nothing throws but what may', async () => {
  const gone = network({ url: await nobody() })
  expect(await gone.status('po_1', 'n')).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
  expect(await gone.cancel('po_1', 'n')).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
  await expect(gone.liquidity()).rejects.toThrow(Unavailable)
})

test('whatever bytes come back, paying neither throws nor concludes anything', async () => {
  let answer = Buffer.alloc(0)
  const { url } = await talking((socket, heard) => {
    if (heard.endsWith('}')) socket.end(answer)
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
