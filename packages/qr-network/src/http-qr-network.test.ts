import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { bob, Unavailable } from '@quipu/core'
import type { PaymentOrder, QrRead, PaymentOutcome } from '@quipu/core/adapter'
import { type Outcome, type QrNetworkSimulator, type QrRequest, type Scenario, startQrNetwork } from '@quipu/simulators'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type HttpQrNetwork, httpQrNetwork, type HttpQrNetworkOptions } from './http-qr-network.ts'

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
  const created = httpQrNetwork({ url: simulator.url, token, ...options })
  onTestFinished(() => created.stop())
  return created
}

const deadline = (): AbortSignal => new AbortController().signal
const closed = { amount_mode: 'closed', amount: '100.00' } as const

/** Issues and reads a QR of this scenario. @returns an order for it */
async function order(request: Partial<QrRequest> = {}, { readQr } = network()): Promise<PaymentOrder> {
  const { content } = simulator.issueQr({ ...closed, ...request })
  const { networkRef } = (await readQr(content, deadline())) as QrRead
  const reference = `po_${references++}`
  return { reference, networkRef, content, amountMode: 'closed', amount: bob(10_000n), description: 'Pago QR' }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

const timesPaid = (reference: string): number => simulator.ledger(reference).payments[0]?.times_paid ?? 0

test('reads a closed QR', async () => {
  const { content } = simulator.issueQr({ ...closed, merchant_name: 'Café Ñusta', description: 'Té' })
  expect(await network().readQr(content, deadline())).toEqual({
    type: 'read',
    networkRef: expect.stringMatching(/^\d{20}$/) as string,
    amountMode: 'closed',
    amount: bob(10_000n),
    merchant: { name: 'Café Ñusta', bankCode: '1016' },
    description: 'Té',
    expiresAt: new Date('2026-01-02T00:00:00.000Z'),
  })
})

test.each([
  ['expired', 'QR_EXPIRED'],
  ['used', 'QR_USED'],
  ['usd', 'QR_CURRENCY'],
] as const)('a QR that is %s is refused as %s', async (scenario, reason) => {
  const { content } = simulator.issueQr({ ...closed, scenario })
  expect(await network().readQr(content, deadline())).toEqual({ type: 'refused_qr', reason })
})

test('content that is no QR is refused', async () => {
  const refused = { type: 'refused_qr', reason: 'QR_INVALID' }
  expect(await network().readQr('no QR', deadline())).toEqual(refused)
})

test('reading throws while the network is down, without an answer, and when aborted', async () => {
  const { content } = simulator.issueQr(closed)
  const { readQr } = network({ readTimeoutMs: 30 })
  for (const down of ['refuse', '503'] as const) {
    await simulator.setFaults({ down })
    await expect(readQr(content, deadline())).rejects.toThrow(Unavailable)
  }
  await simulator.clearFaults()
  await simulator.setFaults({ hang_at: 'before_reading' })
  await expect(readQr(content, deadline())).rejects.toThrow(Unavailable)
  const abort = new AbortController()
  const reading = network().readQr(content, abort.signal)
  await simulator.untilHanging(2)
  abort.abort()
  await expect(reading).rejects.toThrow(Unavailable)
})

/** Scenarios by outcome. The types fail if core and simulator have different outcomes. */
const scenarioOf = {
  paid: 'paid',
  pending: 'late',
  refused_payment: 'refused',
  refused_qr: 'refused_qr',
  no_liquidity: 'no_liquidity',
  limit: 'limit',
} as const satisfies Record<PaymentOutcome, Scenario> & Record<Outcome, Scenario>

test.each(Object.entries(scenarioOf))('an order is answered %s', async (outcome, scenario) => {
  const { pay } = network()
  const sent = await order({ scenario })
  expect(await pay(sent)).toEqual(
    outcome === 'paid' ? { type: 'paid', amount: bob(10_000n), paymentId: 'QN0000000001' } : { type: outcome },
  )
  expect(simulator.requests(sent.reference)[0]?.requests).toHaveLength(1)
})

test.each([
  ['wrong_amount', { type: 'paid', amount: bob(10_100n), paymentId: 'QN0000000001' }],
  ['wrong_currency', { type: 'paid', amount: null, paymentId: 'QN0000000001' }],
  ['pay_then_drop', { type: 'unknown', reason: 'UND_ERR_SOCKET' }],
  ['pay_then_error', { type: 'unknown', reason: 'status 500, INTERNAL_ERROR' }],
  ['pay_then_garble', { type: 'unknown', reason: 'invalid answer: body', breach: true }],
  ['drop_then_nothing', { type: 'unknown', reason: 'UND_ERR_SOCKET' }],
] as const)('an order with the scenario %s', async (scenario, answer) => {
  const { pay } = network()
  const sent = await order({ scenario })
  expect(await pay(sent)).toEqual(answer)
  expect(simulator.requests(sent.reference)[0]?.requests).toHaveLength(1)
})

test('after a lost answer the status shows the payment, which is made once', async () => {
  const { pay, status, cancel } = network()
  const sent = await order({ scenario: 'pay_then_drop' })
  await pay(sent)
  const paid = { type: 'paid', amount: bob(10_000n), paymentId: 'QN0000000001' }
  expect(await status(sent.reference, sent.networkRef)).toEqual(paid)
  expect(await cancel?.(sent.reference, sent.networkRef)).toEqual(paid)
  expect(timesPaid(sent.reference)).toBe(1)
})

test('an order that was lost before it arrived is not seen, and cannot be paid after cancel', async () => {
  const { pay, status, cancel } = network()
  const sent = await order({ scenario: 'drop_then_nothing' })
  await pay(sent)
  expect(await status(sent.reference, sent.networkRef)).toEqual({ type: 'not_seen' })
  expect(await cancel?.(sent.reference, sent.networkRef)).toEqual({ type: 'cancelled' })
  expect(await cancel?.(sent.reference, sent.networkRef)).toEqual({ type: 'cancelled' })
  expect(await status(sent.reference, sent.networkRef)).toEqual({ type: 'cancelled' })
  expect(await pay(sent)).toEqual({ type: 'cancelled' })
  expect(timesPaid(sent.reference)).toBe(0)
})

test('a repeated order is the same payment; another order under its reference is unknown', async () => {
  const { pay } = network()
  const sent = await order()
  const first = await pay(sent)
  expect(await pay(sent)).toEqual(first)
  expect(await pay({ ...sent, description: 'other' })).toEqual({
    type: 'unknown',
    reason: 'status 409, REFERENCE_REUSED',
    breach: true,
  })
  expect(timesPaid(sent.reference)).toBe(1)
})

test('an order that the network refuses as invalid is not_sent', async () => {
  const sent = await order()
  expect(await network().pay({ ...sent, amount: bob(9_999n) })).toEqual({ type: 'not_sent', reason: 'AMOUNT_MISMATCH' })
  expect(await network().pay({ ...sent, description: null })).toEqual({
    type: 'not_sent',
    reason: 'DESCRIPTION_REQUIRED',
  })
})

test('the description is sent unchanged; that of the QR takes precedence', async () => {
  const { pay } = network()
  const own = await order({ description: 'Pedido 7' })
  await pay({ ...own, description: null })
  const sent = await order()
  await pay({ ...sent, description: 'Almuerzo ñ' })
  expect(simulator.ledger(own.reference).payments[0]?.description).toBe('Pedido 7')
  expect(simulator.ledger(sent.reference).payments[0]?.description).toBe('Almuerzo ñ')
})

test('an order is not_sent if the network refuses the connection', async () => {
  const sent = await order()
  const { pay, status } = network()
  await simulator.setFaults({ down: 'refuse' })
  expect(await pay(sent)).toEqual({ type: 'not_sent', reason: 'ECONNREFUSED' })
  await simulator.clearFaults()
  expect(await status(sent.reference, sent.networkRef)).toEqual({ type: 'not_seen' })
})

test.each([
  ['before_paying', 'not_seen'],
  ['after_paying', 'paid'],
] as const)('no answer by the deadline is unknown, %s', async (hold, found) => {
  const { pay, status } = network({ payTimeoutMs: 50 })
  const sent = await order()
  await simulator.setFaults({ hang_at: hold })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const paying = pay(sent)
  await simulator.untilHanging() // By its deadline, or the order is not sent.
  vi.advanceTimersByTime(50)
  expect(await paying).toEqual({ type: 'unknown', reason: 'no answer within 50 ms' })
  vi.useRealTimers()
  expect(await status(sent.reference, sent.networkRef)).toMatchObject({ type: found })
})

test('status and cancel end at their own deadline, which is shorter than that of a payment', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { cancel, status, liquidity } = network({ url, payTimeoutMs: 60, statusTimeoutMs: 50 })
  const unanswered = { type: 'unknown', reason: 'no answer within 50 ms' }
  expect(await status('po_1', 'nr-1')).toEqual(unanswered)
  expect(await cancel?.('po_1', 'nr-1')).toEqual(unanswered)
  await expect(liquidity()).rejects.toThrow(unanswered.reason)
})

test('the status with another network_ref is unknown', async () => {
  const { pay, status, cancel } = network()
  const sent = await order()
  await pay(sent)
  const unknown = { type: 'unknown', reason: 'another payment', breach: true }
  expect(await status(sent.reference, 'another')).toEqual(unknown)
  expect(await cancel?.(sent.reference, 'another')).toEqual(unknown)
})

test('with a wrong token orders are unknown, and reading and liquidity throw', async () => {
  const { readQr, pay, liquidity } = network({ token: 'wrong' })
  expect(await pay(await order())).toEqual({ type: 'unknown', reason: 'status 401, UNAUTHORIZED', breach: true })
  await expect(readQr('x', deadline())).rejects.toThrow('status 401')
  await expect(liquidity()).rejects.toThrow('status 401')
})

test('the statement has all payments that are not reversed, oldest first', async () => {
  const paged = await startQrNetwork({ token, callbackSecret: 'secret', now: () => clock, statementRowsMax: 2 })
  onTestFinished(() => paged.stop())
  const { pay, readQr, statement } = network({ url: paged.url })
  const paid: string[] = []
  for (let i = 0; i < 6; i++) {
    const { content } = paged.issueQr(closed)
    const { networkRef } = (await readQr(content, deadline())) as QrRead
    const reference = `po_${i}`
    await pay({ reference, networkRef, content, amountMode: 'closed', amount: bob(10_000n), description: 'x' })
    paid.push(reference)
    clock = new Date(clock.getTime() + 1_000)
  }
  paged.settle('po_3', 'refused_payment', true)
  const period = [new Date('2026-01-01T00:00:01Z'), clock] as const
  const rows = await collect(statement(...period))
  expect(rows.map(({ reference }) => reference)).toEqual(['po_1', 'po_2', 'po_4', 'po_5'])
  expect(rows[0]).toEqual({
    type: 'payment',
    reference: 'po_1',
    networkRef: expect.any(String) as string,
    paymentId: 'QN0000000002',
    amount: bob(10_000n),
    paidAt: new Date('2026-01-01T00:00:01Z'),
  })
})
