import { bob, Unavailable } from '@quipu/core'
import { eventsAbout } from '@quipu/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant

beforeEach(async () => {
  api = await testApi()
  tenant = await api.tenant()
})
afterEach(() => api.stop())

const start = '1000.000000'
const price = '10.203353'
const left = '989.796647'

async function wallet(): Promise<{ available: string; held: string }> {
  const { available, held } = (await tenant.get('/v1/wallets')).json
  return { available, held }
}

const quoteStatus = async (id: string): Promise<string> =>
  (await tenant.get(`/v1/quotes/${id}`)).json.status

async function eventTypes(payoutId: string): Promise<string[]> {
  const events = await eventsAbout(api.stores, tenant.id, payoutId)
  return events.map(({ type }) => type)
}

/** Events carry the payout exactly as `GET /payouts/{id}` returns it. */
async function expectEvent(payout: Json, type: string): Promise<void> {
  const [event, ...more] = await eventsAbout(api.stores, tenant.id, payout.id)
  expect(more).toEqual([])
  const envelope = JSON.parse(new TextDecoder().decode(event?.body))
  const data = (await tenant.get(`/v1/payouts/${payout.id}`)).json
  expect(envelope).toEqual({
    id: event?.id,
    type,
    event_version: 1,
    occurred_at: data.completed_at ?? expect.stringMatching(instant),
    recorded_at: expect.stringMatching(instant),
    data,
  })
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('spec §2, §3 — paid: 201 completed, with every field in its format, the quote debited exactly', async () => {
  const order = await tenant.order()
  const reply = await tenant.post('/v1/payouts', order)
  expect(reply.status).toBe(201)
  expect(reply.headers.get('idempotent-replayed')).toBeNull()
  expect(reply.json).toEqual({
    id: expect.stringMatching(/^po_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    type: 'qr',
    status: 'completed',
    transaction_id: order.transaction_id,
    resolution_id: null,
    quote: {
      id: order.quote_id,
      source: { currency: 'USDT', amount: price },
      target: { currency: 'BOB', amount: '100.00' },
      rate: '9.8007',
      fee: { currency: 'USDT', amount: '0.000000' },
      expires_at: '2026-03-02T12:01:00.000Z',
    },
    source: { currency: 'USDT', amount: price },
    target: { currency: 'BOB', amount: '100.00' },
    qr: {
      amount_mode: 'closed',
      merchant: { name: 'Comercio de Prueba', bank_code: '1016' },
    },
    error: null,
    completed_at: '2026-03-02T12:00:00.000Z',
    created_at: '2026-03-02T12:00:00.000Z',
  })
  expect(await wallet()).toEqual({ available: left, held: '0.000000' })
  expect(await quoteStatus(order.quote_id)).toBe('used')
  await expectEvent(reply.json, 'payout.completed')
  expect((await tenant.get(`/v1/payouts/${reply.json.id}`)).json).toEqual(reply.json)
})

/** What the network does when asked to pay → the row of the outcome table. */
test.each([
  ['refused', 'failed', 'PAYMENT_FAILED', 'payout.failed'],
  ['refused_qr', 'rejected', 'QR_REFUSED', null],
  ['no_liquidity', 'cancelled', 'INSUFFICIENT_FUNDS', 'payout.cancelled'],
  ['limit', 'cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', 'payout.cancelled'],
])(
  'spec §3, §7 — the network answers %s: 201 %s %s, the hold released, event %s',
  async (scenario, status, code, event) => {
    const order = await tenant.order({}, { scenario })
    const { status: http, json } = await tenant.post('/v1/payouts', order)
    expect(http).toBe(201)
    expect(json).toMatchObject({
      status,
      error: { code, message: expect.stringMatching(/^[A-Z].+\.$/) },
      quote: { id: order.quote_id },
      source: null,
      target: { currency: 'BOB', amount: '100.00' },
      completed_at: null,
    })
    expect(await wallet()).toEqual({ available: start, held: '0.000000' })
    expect(await quoteStatus(order.quote_id)).toBe('used')
    if (event) await expectEvent(json, event)
    else expect(await eventTypes(json.id)).toEqual([])
  },
)

test('an order that provably never left: 201 cancelled PAYMENT_CANCELLED, the hold released', async () => {
  api.hooks.sending = async (call) => (call.type === 'pay' ? 'refused' : 'arrives')
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
  expect(json).toMatchObject({ quote: { id: order.quote_id }, source: null })
  expect(await wallet()).toEqual({ available: start, held: '0.000000' })
  await expectEvent(json, 'payout.cancelled')
  expect(api.lines()).toContainEqual(
    expect.objectContaining({ level: 'error', alert: 'ORDER_NOT_SENT', subject: json.id }),
  )
})

test.each([
  ['answers late', { scenario: 'late' }, {}],
  ['loses the answer', {}, { answering: async () => 'lost' as const }],
])('spec §3 — the network %s: 201 processing, the hold stays', async (_, qr, hooks) => {
  const order = await tenant.order({}, qr)
  Object.assign(api.hooks, hooks, {
    answering: async (call: { type: string }) =>
      call.type === 'pay' && 'answering' in hooks ? 'lost' : 'arrives',
  })
  const { status, json } = await tenant.post('/v1/payouts', order)
  expect(status).toBe(201)
  expect(json).toMatchObject({ status: 'processing', error: null, source: null })
  expect(json).toMatchObject({ quote: { id: order.quote_id }, completed_at: null })
  expect(await wallet()).toEqual({ available: left, held: price })
  expect(await eventTypes(json.id)).toEqual([])
  expect((await tenant.get(`/v1/payouts/${json.id}`)).json).toEqual(json)
})

test('paid, but another amount: stays processing, the hold kept, and somebody is paged', async () => {
  api.hooks.paying = () => bob(101_00n)
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  expect(json).toMatchObject({ status: 'processing', source: null })
  expect(await wallet()).toEqual({ available: left, held: price })
  expect(api.lines()).toContainEqual(
    expect.objectContaining({ level: 'error', alert: 'PAID_WRONG_AMOUNT', tenant_id: tenant.id }),
  )
})

test('spec §3 — the QR cannot be read as one: 201 rejected, qr without members, no event', async () => {
  const order = await tenant.order({ qr: { content: 'not a QR of any network' } })
  const { status, json } = await tenant.post('/v1/payouts', order)
  expect(status).toBe(201)
  expect(json).toMatchObject({
    status: 'rejected',
    error: { code: 'QR_REFUSED' },
    qr: { amount_mode: null, merchant: null },
    quote: null,
    source: null,
    target: { currency: 'BOB', amount: '100.00' },
  })
  expect(await quoteStatus(order.quote_id)).toBe('open')
  expect(await eventTypes(json.id)).toEqual([])
  expect(await wallet()).toEqual({ available: start, held: '0.000000' })
})

test('spec §2, §7 — a closed QR of another amount: QUOTE_AMOUNT_MISMATCH, its own amount as target, the quote still good', async () => {
  const quote_id = await tenant.quote('100.00')
  const content = await tenant.qr({ amount: '300.00' })
  const order = await tenant.order({ quote_id, qr: { content } })
  const { status, json } = await tenant.post('/v1/payouts', order)
  expect(status).toBe(201)
  expect(json).toMatchObject({
    status: 'cancelled',
    error: { code: 'QUOTE_AMOUNT_MISMATCH' },
    quote: null,
    source: null,
    target: { currency: 'BOB', amount: '300.00' },
    qr: { amount_mode: 'closed' },
  })
  await expectEvent(json, 'payout.cancelled')
  expect(await quoteStatus(quote_id)).toBe('open')
  const right = await tenant.order({ quote_id })
  expect((await tenant.post('/v1/payouts', right)).json.status).toBe('completed')
})

test('spec §4 rule 5 — an open QR is paid the quote’s amount', async () => {
  const content = await tenant.qr({ amount_mode: 'open', amount: undefined })
  const order = await tenant.order({ quote_id: await tenant.quote('12.34'), qr: { content } })
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({
    status: 'completed',
    target: { currency: 'BOB', amount: '12.34' },
    qr: { amount_mode: 'open' },
  })
  expect(api.network.answerOf(json.id)).toMatchObject({ type: 'paid', amount: bob(12_34n) })
})

test('spec §7 — above the tenant’s cap: cancelled AMOUNT_EXCEEDS_PROVIDER_LIMIT before anything is held', async () => {
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, { payment_cap_bob: '99.99' })
  api.clock.step(5_000)
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', quote: null, source: null })
  expect(json.error.code).toBe('AMOUNT_EXCEEDS_PROVIDER_LIMIT')
  expect(await quoteStatus(order.quote_id)).toBe('open')
  expect(api.network.answerOf(json.id)).toBeUndefined()
  await expectEvent(json, 'payout.cancelled')
})

test('spec §7 — exactly the cap is not above it, and exactly the balance is enough', async () => {
  tenant = await api.tenant({
    funds: 10_203_353n,
    pricing: { margin_bps: 150, payment_cap_bob: '100.00' },
  })
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  expect(json).toMatchObject({ status: 'completed', error: null })
  expect(await wallet()).toEqual({ available: '0.000000', held: '0.000000' })
})

test('spec §7 — too little USDT: cancelled INSUFFICIENT_BALANCE, nothing held, the quote still good', async () => {
  tenant = await api.tenant({ funds: 10_203_352n })
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', quote: null, source: null })
  expect(json.error.code).toBe('INSUFFICIENT_BALANCE')
  expect(json.target).toEqual({ currency: 'BOB', amount: '100.00' })
  expect(await wallet()).toEqual({ available: '10.203352', held: '0.000000' })
  expect(await quoteStatus(order.quote_id)).toBe('open')
  await expectEvent(json, 'payout.cancelled')
})

test('spec §7 — the quote expires between the first look and applying: cancelled QUOTE_EXPIRED', async () => {
  const order = await tenant.order()
  api.clock.step(50_000)
  api.hooks.sending = async () => {
    api.clock.step(10_000)
    return 'arrives'
  }
  const { status, json } = await tenant.post('/v1/payouts', order)
  expect(status).toBe(201)
  expect(json).toMatchObject({ status: 'cancelled', error: { code: 'QUOTE_EXPIRED' } })
  expect(json).toMatchObject({ quote: null, source: null, qr: { amount_mode: 'closed' } })
  await expectEvent(json, 'payout.cancelled')
})

test('spec §7 — another payment takes the quote in between: cancelled QUOTE_ALREADY_USED', async () => {
  const quote_id = await tenant.quote()
  const loser = await tenant.order({ quote_id })
  const winner = await tenant.order({ quote_id })
  let isFirst = true
  api.hooks.sending = async () => {
    if (!isFirst) return 'arrives'
    isFirst = false
    expect((await tenant.post('/v1/payouts', winner)).json.status).toBe('completed')
    return 'arrives'
  }
  const { status, json } = await tenant.post('/v1/payouts', loser)
  expect(status).toBe(201)
  expect(json).toMatchObject({ status: 'cancelled', error: { code: 'QUOTE_ALREADY_USED' } })
  expect(json).toMatchObject({ quote: null, source: null })
  await expectEvent(json, 'payout.cancelled')
  expect(await wallet()).toEqual({ available: left, held: '0.000000' })
})

test('spec §7 — a quote that nobody has, or another tenant: 404 QUOTE_NOT_FOUND, the id stays free', async () => {
  const stranger = await api.tenant()
  const order = await tenant.order()
  for (const quote_id of ['0199a3f4-5c00-7000-8000-000000000001', await stranger.quote()]) {
    const reply = await tenant.post('/v1/payouts', { ...order, quote_id })
    expect([reply.status, reply.code]).toEqual([404, 'QUOTE_NOT_FOUND'])
    expect(reply.json.error.payout_id).toBeUndefined()
  }
  expect((await tenant.post('/v1/payouts', order)).json.status).toBe('completed')
})

test('spec §7 — an expired quote: 409 QUOTE_EXPIRED, the id stays free', async () => {
  const order = await tenant.order()
  api.clock.step(60_000)
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([409, 'QUOTE_EXPIRED'])
  const again = { ...order, quote_id: await tenant.quote() }
  expect((await tenant.post('/v1/payouts', again)).json.status).toBe('completed')
})

test('spec §7 — a quote that was used: 409 QUOTE_ALREADY_USED names the payout, the id stays free', async () => {
  const quote_id = await tenant.quote()
  const first = await tenant.post('/v1/payouts', await tenant.order({ quote_id }))
  const order = await tenant.order({ quote_id })
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([409, 'QUOTE_ALREADY_USED'])
  expect(reply.json.error.payout_id).toBe(first.json.id)
  const found = await tenant.get(`/v1/payouts?transaction_id=${order.transaction_id}`)
  expect(found.json.data).toEqual([])
})

test('spec §4 rule 6 — the resolution that the quote names is in the answer, also without a quote', async () => {
  const content = await tenant.qr()
  const resolution_id = (await tenant.post('/v1/payouts/qr/resolve', { content })).json
    .resolution_id
  const quote_id = await tenant.quote('100.00', { resolution_id })
  const wrong = await tenant.qr({ amount: '7.00' })
  const mismatch = await tenant.order({ quote_id, qr: { content: wrong } })
  expect((await tenant.post('/v1/payouts', mismatch)).json).toMatchObject({
    quote: null,
    resolution_id,
  })
  const right = await tenant.order({ quote_id, qr: { content } })
  expect((await tenant.post('/v1/payouts', right)).json).toMatchObject({
    status: 'completed',
    resolution_id,
  })
})

test('a resolved QR that has expired since is read again: rejected, and the quote still good', async () => {
  const content = await tenant.qr()
  api.clock.step(24 * 3_600_000 - 10_000)
  const resolved = await tenant.post('/v1/payouts/qr/resolve', { content })
  const { resolution_id } = resolved.json
  const quote_id = await tenant.quote('100.00', { resolution_id })
  api.clock.step(10_000)
  const { json } = await tenant.post(
    '/v1/payouts',
    await tenant.order({ quote_id, qr: { content } }),
  )
  expect(json).toMatchObject({ status: 'rejected', error: { code: 'QR_REFUSED' }, quote: null })
  expect(json).toMatchObject({ resolution_id, source: null })
  expect(await quoteStatus(quote_id)).toBe('open')
})

test('the QR cannot be read now: 503 OPERATION_UNCERTAIN, nothing written, the same request is safe', async () => {
  const order = await tenant.order()
  api.hooks.sending = async () => 'lost'
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([503, 'OPERATION_UNCERTAIN'])
  expect(reply.json.error.message).toMatch(/QR could not be read.*attempted nothing and never will/)
  expect(reply.headers.get('retry-after')).toBe('1')
  expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
  expect(await quoteStatus(order.quote_id)).toBe('open')
  delete api.hooks.sending
  const again = await tenant.post('/v1/payouts', order)
  expect(again.json.status).toBe('completed')
  expect(again.headers.get('idempotent-replayed')).toBeNull()
})

test('the QR is not read within 20 s: 503 OPERATION_UNCERTAIN, and what comes later never applies', async () => {
  const order = await tenant.order()
  const reading = Promise.withResolvers<'arrives'>()
  const asked = Promise.withResolvers<void>()
  api.hooks.sending = async () => {
    asked.resolve()
    return reading.promise
  }
  const reply = tenant.post('/v1/payouts', order)
  await asked.promise
  api.clock.step(20_000)
  expect((await reply).code).toBe('OPERATION_UNCERTAIN')
  expect((await reply).json.error.message).toMatch(/attempted nothing and never will/)
  reading.resolve('arrives')
  await api.settled()
  expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
})

test('no answer within 20 s: 201 processing, and the call runs on to its end', async () => {
  const order = await tenant.order()
  const paying = Promise.withResolvers<'arrives'>()
  const asked = Promise.withResolvers<void>()
  api.hooks.sending = async (call) => {
    if (call.type !== 'pay') return 'arrives'
    asked.resolve()
    return paying.promise
  }
  const reply = tenant.post('/v1/payouts', order)
  await asked.promise
  for (let s = 0; s < 20; s += 5) {
    api.clock.step(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { json } = await reply
  expect(json).toMatchObject({ status: 'processing' })
  paying.resolve('arrives')
  expect(await api.settled()).toBe(true)
  const done = (await tenant.get(`/v1/payouts/${json.id}`)).json
  expect(done).toMatchObject({ status: 'completed', completed_at: '2026-03-02T12:00:20.000Z' })
  await expectEvent(done, 'payout.completed')
  expect(await wallet()).toEqual({ available: left, held: '0.000000' })
})

test.each([
  ['looked up', 'findForCreate'],
  ['written', 'commit'],
] as const)('state that cannot be %s: 503 OPERATION_UNCERTAIN', async (_, method) => {
  const order = await tenant.order()
  api.stores.payouts[method] = async () => {
    throw new Unavailable('store', 'gone')
  }
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([503, 'OPERATION_UNCERTAIN'])
})

test('spec §4 — the description is sent only when the QR has none, else a default', async () => {
  const sent: (string | null)[] = []
  api.hooks.sending = async (call) => {
    if (call.type === 'pay') sent.push(call.order.description)
    return 'arrives'
  }
  await tenant.post('/v1/payouts', await tenant.order({ description: 'Pedido 7' }))
  await tenant.post('/v1/payouts', await tenant.order())
  const described = { description: 'Mesa 4' }
  await tenant.post('/v1/payouts', await tenant.order({ description: 'Pedido 8' }, described))
  expect(sent).toEqual(['Pedido 7', 'Pago QR', null])
})
