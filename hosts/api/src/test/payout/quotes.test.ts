import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { rate as rateOf, Unavailable } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const boliviano = (amount: string): object => ({ target: { currency: 'BOB', amount } })

test('spec §2 — a quote: the six fields in their formats, with its status', async () => {
  const { status, json } = await tenant.post('/v1/quotes', boliviano('100'))
  expect(status).toBe(201)
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    source: { currency: 'USDT', amount: '10.203353' },
    target: { currency: 'BOB', amount: '100.00' },
    rate: '9.8007',
    fee: { currency: 'USDT', amount: '0.000000' },
    expires_at: '2026-03-02T12:01:00.000Z',
    resolution_id: null,
    status: 'open',
    created_at: '2026-03-02T12:00:00.000Z',
    exceeds_payment_cap: false,
  })
  expect((await tenant.get(`/v1/quotes/${json.id}`)).json).toEqual(json)
  expect((await tenant.get(`/v1/quotes/${json.id.toUpperCase()}`)).json).toEqual(json)
  api.clock.step(59_999)
  expect((await tenant.get(`/v1/quotes/${json.id}`)).json.status).toBe('open')
  api.clock.step(1)
  expect((await tenant.get(`/v1/quotes/${json.id}`)).json.status).toBe('expired')
})

test('without a fresh rate: 503 RATE_UNAVAILABLE', async () => {
  api.rates.current = async () => {
    throw new Unavailable('rate_source', 'stale')
  }
  const reply = await tenant.post('/v1/quotes', boliviano('1'))
  expect([reply.status, reply.code]).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(reply.headers.get('retry-after')).toBe('5')
})

test('a price above the largest amount: 400 names target.amount', async () => {
  api.rates.current = async () => ({ bid: rateOf(2n), source: 'test', observedAt: api.clock.now() })
  const reply = await tenant.post('/v1/quotes', boliviano('999999999999.99'))
  expect(reply.json.error.details).toEqual([{ field: 'target.amount', message: expect.any(String) }])
})

test('a closed resolution sets the target, an open one does not', async () => {
  const resolve = async (content: string): Promise<string> =>
    (await tenant.post('/v1/payouts/qr/resolve', { content })).json.resolution_id
  const closed = await resolve(await tenant.qr({ amount: '7.50' }))
  const quote = await tenant.post('/v1/quotes', { resolution_id: closed })
  expect(quote.json).toMatchObject({ resolution_id: closed, target: { amount: '7.50' } })

  const open = await resolve(await tenant.qr({ amount_mode: 'open', amount: undefined }))
  const refused = await tenant.post('/v1/quotes', { resolution_id: open })
  expect(refused.json.error.details).toEqual([{ field: 'target', message: expect.any(String) }])
  const quoted = await tenant.post('/v1/quotes', { resolution_id: open, ...boliviano('3') })
  expect(quoted.json.target.amount).toBe('3.00')

  const otherTenant = await api.tenant()
  for (const resolution_id of [closed, 'qrr_unknown']) {
    const reply = await otherTenant.post('/v1/quotes', { resolution_id, ...boliviano('3') })
    expect([reply.status, reply.code]).toEqual([404, 'RESOLUTION_NOT_FOUND'])
  }
})

test('spec §4 — POST /payouts/qr/resolve: the QR’s content, with a resolution_id', async () => {
  const content = await tenant.qr({ description: 'Mesa 4', merchant_name: 'Café Ñandú' })
  const { status, json } = await tenant.post('/v1/payouts/qr/resolve', { content })
  expect(status).toBe(201)
  expect(json).toEqual({
    resolution_id: expect.stringMatching(/^qrr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    amount_mode: 'closed',
    amount: { currency: 'BOB', amount: '100.00' },
    merchant: { name: 'Café Ñandú', bank_code: '1016' },
    description: 'Mesa 4',
    expires_at: '2026-03-03T12:00:00.000Z',
    created_at: '2026-03-02T12:00:00.000Z',
  })
  const open = await tenant.qr({ amount_mode: 'open', amount: undefined })
  const answer = await tenant.post('/v1/payouts/qr/resolve', { content: open })
  expect(answer.json).toMatchObject({ amount_mode: 'open', amount: null, description: null })
})

test('a network outage or timeout: 503 NETWORK_UNAVAILABLE', async () => {
  const content = await tenant.qr()
  api.hooks.sending = async () => 'lost'
  const lost = await tenant.post('/v1/payouts/qr/resolve', { content })
  expect([lost.status, lost.code]).toEqual([503, 'NETWORK_UNAVAILABLE'])
  expect(lost.headers.get('retry-after')).toBe('1')
  const called = Promise.withResolvers<void>()
  api.hooks.sending = () => {
    called.resolve()
    return new Promise(() => undefined)
  }
  const late = tenant.post('/v1/payouts/qr/resolve', { content })
  await called.promise
  api.clock.step(20_000)
  expect((await late).code).toBe('NETWORK_UNAVAILABLE')
})

test('POST /sandbox/qr-codes: a QR whose images encode its content', async () => {
  const request = { amount_mode: 'closed', amount: '25.5', description: 'Té', scenario: 'refused' }
  const { status, json } = await tenant.post('/v1/sandbox/qr-codes', request)
  expect(status).toBe(201)
  expect(json).toEqual({
    content: expect.any(String),
    amount_mode: 'closed',
    amount: { currency: 'BOB', amount: '25.50' },
    merchant: { name: expect.any(String), bank_code: expect.any(String) },
    description: 'Té',
    scenario: 'refused',
    expires_at: '2026-03-03T12:00:00.000Z',
    png: expect.stringMatching(/^data:image\/png;base64,/),
    svg: expect.stringMatching(/^<svg /),
  })
  const bytes = Buffer.from(json.png.split(',')[1], 'base64')
  expect({ bitsPerPixel: bytes[24], colorType: bytes[25] }).toEqual({ bitsPerPixel: 1, colorType: 0 })
  const png = PNG.sync.read(bytes)
  const seen = jsQr.default(new Uint8ClampedArray(png.data), png.width, png.height)
  expect(seen?.data).toBe(json.content)
})

test('a refused QR with white space at its end says so', async () => {
  const content = await tenant.qr({ amount: '1.00' })
  const spaced = await tenant.post('/v1/payouts/qr/resolve', { content: `${content}\r\n` })
  expect(spaced).toMatchObject({ status: 422, code: 'QR_REFUSED' })
  expect(spaced.json.error.message).toContain('begins or ends with white space')
})

test('production has no sandbox paths and refuses sandbox QRs without reading them', async () => {
  const content = await tenant.qr()
  const live = await testApi({ ENVIRONMENT: 'production' })
  const owner = await live.tenant()
  expect(owner.key).toMatch(/^qpu_live_/)
  expect(tenant.key).toMatch(/^qpu_test_/)
  for (const path of ['/v1/sandbox/qr-codes', '/v1/sandbox/faucet']) {
    const reply = await owner.post(path, { amount_mode: 'open' })
    expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND'])
  }
  let questions = 0
  live.hooks.sending = async () => {
    questions += 1
    return 'arrives'
  }
  expect((await owner.post('/v1/payouts/qr/resolve', { content })).code).toBe('QR_REFUSED')
  const order = await owner.order({ qr: { content } })
  const { json } = await owner.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'rejected', error: { code: 'QR_REFUSED' } })
  expect(questions).toBe(0)
  const document = await live.request('GET', '/v1/openapi.json')
  expect(Object.keys(document.json.paths).filter((path) => path.includes('sandbox'))).toEqual([])
  await live.stop()
})

test('exceeds_payment_cap says whether a quote is above the current cap', async () => {
  const capped = await api.tenant({ pricing: { payment_cap_bob: '100.00' } })
  const above = (await capped.post('/v1/quotes', boliviano('100.01'))).json
  expect(above).toMatchObject({ status: 'open', exceeds_payment_cap: true })
  expect((await capped.get(`/v1/quotes/${above.id}`)).json).toEqual(above)
  const within = (await capped.post('/v1/quotes', boliviano('100.00'))).json
  expect(within).toMatchObject({ status: 'open', exceeds_payment_cap: false })
  const order = await capped.order({ quote_id: above.id, qr: { content: await capped.qr({ amount: '100.01' }) } })
  const payout = (await capped.post('/v1/payouts', order)).json
  expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'AMOUNT_EXCEEDS_PROVIDER_LIMIT' } })
  await api.operator('PATCH', `/operator/v1/tenants/${capped.id}`, { payment_cap_bob: '100.01' })
  api.clock.step(5_000)
  const raised = (await capped.get(`/v1/quotes/${above.id}`)).json
  expect(raised.exceeds_payment_cap).toBe(false)
  expect((await capped.get('/v1/wallets')).json.payment_cap).toEqual({ currency: 'BOB', amount: '100.01' })
})

test('GET /wallets: available, held, total and top-up addresses', async () => {
  await tenant.post('/v1/payouts', await tenant.order({}, { scenario: 'late' }))
  const { status, json } = await tenant.get('/v1/wallets')
  expect(status).toBe(200)
  expect(json).toEqual({
    id: expect.stringMatching(/^wal_/),
    currency: 'USDT',
    available: '989.796647',
    held: '10.203353',
    total: '1000.000000',
    top_up_addresses: [
      {
        chain: 'tron',
        currency: 'USDT',
        address: expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
        minimum_amount: '1.000000',
        maximum_automatic_amount: '100000.000000',
      },
    ],
    payment_cap: { currency: 'BOB', amount: '50000.00' },
    daily_limits: { amount: null, count: null },
    used_today: { amount: '10.203353', count: 1 },
    balance_at: null,
    low_balance_threshold: null,
    balance_low: false,
    created_at: '2026-03-02T12:00:00.000Z',
    updated_at: '2026-03-02T12:00:00.000Z',
  })
})

test('a quote of a test QR of scenario short_quote expires after 15 seconds, and pays nothing from then on', async () => {
  const asked = { amount_mode: 'closed', amount: '25.00', scenario: 'short_quote' }
  const { content } = (await tenant.post('/v1/sandbox/qr-codes', asked)).json
  const { resolution_id } = (await tenant.post('/v1/payouts/qr/resolve', { content })).json
  const { id } = (await tenant.post('/v1/quotes', { resolution_id })).json
  const pay = (transaction_id: string, quote_id: string) =>
    tenant.post('/v1/payouts', { transaction_id, type: 'qr', quote_id, qr: { content } })
  api.clock.step(14_999)
  expect((await tenant.get(`/v1/quotes/${id}`)).json.status).toBe('open')
  api.clock.step(1)
  expect((await pay('late', id)).code).toBe('QUOTE_EXPIRED')
  const unnamed = (await tenant.post('/v1/quotes', boliviano('25.00'))).json
  api.clock.step(59_999)
  expect((await pay('in-time', unnamed.id)).json.status).toBe('completed')
})
