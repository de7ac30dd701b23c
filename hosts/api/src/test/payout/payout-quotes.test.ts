import { rate } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { expectEvent, quoteStatus } from '../harness/payout-checks.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
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

test('spec §7 — an expired quote: 409 QUOTE_EXPIRED, the id stays free', async () => {
  const order = await tenant.order()
  api.clock.step(60_000)
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([409, 'QUOTE_EXPIRED'])
  const again = { ...order, quote_id: await tenant.quote() }
  expect((await tenant.post('/v1/payouts', again)).json.status).toBe('completed')
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
