import { bob, rate } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { expectEvent, quoteStatus, walletOf } from '../harness/payout-checks.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

test('spec §2, §7 — a closed QR of another amount: QUOTE_AMOUNT_MISMATCH, its own amount as target, the quote stays open', async () => {
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
  await expectEvent(api, tenant, json, 'payout.cancelled')
  expect(await quoteStatus(tenant, quote_id)).toBe('open')
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

test('spec §7 — above the tenant’s cap: cancelled AMOUNT_EXCEEDS_PROVIDER_LIMIT, nothing held', async () => {
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, { payment_cap_bob: '99.99' })
  api.clock.step(5_000)
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', quote: null, source: null })
  expect(json.error.code).toBe('AMOUNT_EXCEEDS_PROVIDER_LIMIT')
  expect(await quoteStatus(tenant, order.quote_id)).toBe('open')
  expect(api.network.answerOf(json.id)).toBeUndefined()
  await expectEvent(api, tenant, json, 'payout.cancelled')
})

test('above a daily limit: cancelled DAILY_LIMIT_EXCEEDED, nothing held', async () => {
  const path = `/operator/v1/tenants/${tenant.id}`
  await api.operator('PATCH', path, { daily_limit_count: 1, daily_limit_usdt: '20' })
  expect((await tenant.post('/v1/payouts', await tenant.order())).json.status).toBe('completed')
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', quote: null, source: null })
  expect(json.error.code).toBe('DAILY_LIMIT_EXCEEDED')
  expect(await quoteStatus(tenant, order.quote_id)).toBe('open')
  expect(api.network.answerOf(json.id)).toBeUndefined()
  await expectEvent(api, tenant, json, 'payout.cancelled')
  const used = { amount: '10.203353', count: 1 }
  expect((await api.operator('GET', path)).json.used_today).toEqual(used)
  api.clock.step(5_000)
  expect((await tenant.get('/v1/wallets')).json).toMatchObject({
    daily_limits: { amount: '20.000000', count: 1 },
    used_today: used,
  })
})

test('spec §7 — too little USDT: cancelled INSUFFICIENT_BALANCE, nothing held, the quote stays open', async () => {
  tenant = await api.tenant({ funds: 10_203_352n })
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', quote: null, source: null })
  expect(json.error.code).toBe('INSUFFICIENT_BALANCE')
  expect(json.target).toEqual({ currency: 'BOB', amount: '100.00' })
  expect(await walletOf(tenant)).toEqual({ available: '10.203352', held: '0.000000' })
  expect(await quoteStatus(tenant, order.quote_id)).toBe('open')
  await expectEvent(api, tenant, json, 'payout.cancelled')
})

test('spec §7 — an unknown quote or another tenant’s: 404 QUOTE_NOT_FOUND, the id stays free', async () => {
  const otherTenant = await api.tenant()
  const order = await tenant.order()
  for (const quote_id of ['0199a3f4-5c00-7000-8000-000000000001', await otherTenant.quote()]) {
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

test('spec §7 — a used quote: 409 QUOTE_ALREADY_USED names the payout, the id stays free', async () => {
  const quote_id = await tenant.quote()
  const first = await tenant.post('/v1/payouts', await tenant.order({ quote_id }))
  const order = await tenant.order({ quote_id })
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([409, 'QUOTE_ALREADY_USED'])
  expect(reply.json.error.payout_id).toBe(first.json.id)
  const found = await tenant.get(`/v1/payouts?transaction_id=${order.transaction_id}`)
  expect(found.json.data).toEqual([])
})

test('spec §4 rule 6 — the answer names the quote’s resolution, also when its quote is null', async () => {
  const content = await tenant.qr()
  const resolution_id = (await tenant.post('/v1/payouts/qr/resolve', { content })).json.resolution_id
  const quote_id = await tenant.quote('100.00', { resolution_id })
  const wrong = await tenant.qr({ amount: '7.00' })
  const mismatch = await tenant.order({ quote_id, qr: { content: wrong } })
  expect((await tenant.post('/v1/payouts', mismatch)).json).toMatchObject({ quote: null, resolution_id })
  const right = await tenant.order({ quote_id, qr: { content } })
  expect((await tenant.post('/v1/payouts', right)).json).toMatchObject({ status: 'completed', resolution_id })
})

test('a jump of the market leaves a quote firm', async () => {
  const marketAt = (bid: bigint): void => {
    api.rates.current = () => Promise.resolve({ bid: rate(bid), source: 'fixed', observedAt: api.clock.now() })
  }
  marketAt(122_300n)
  const order = await tenant.order({ quote_id: await tenant.quote('100.00') })
  marketAt(100_000n)
  await tenant.quote('100.00')
  expect((await tenant.post('/v1/payouts', order)).json.status).toBe('completed')
})
