import { Unavailable } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import {
  balanceAfter,
  balanceBefore,
  expectEvent,
  price,
  quoteStatus,
  walletOf,
} from '../harness/payout-checks.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

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
    qr: { amount_mode: 'closed', merchant: { name: 'Comercio de Prueba', bank_code: '1016' } },
    error: null,
    completed_at: '2026-03-02T12:00:00.000Z',
    created_at: '2026-03-02T12:00:00.000Z',
    description: null,
    metadata: {},
    network_payment_id: expect.stringMatching(/./),
  })
  expect(await walletOf(tenant)).toEqual({ available: balanceAfter, held: '0.000000' })
  expect(await quoteStatus(tenant, order.quote_id)).toBe('used')
  await expectEvent(api, tenant, reply.json, 'payout.completed')
  expect((await tenant.get(`/v1/payouts/${reply.json.id}`)).json).toEqual(reply.json)
})

test('an order that was not sent for certain: 201 cancelled PAYMENT_CANCELLED, the hold released', async () => {
  api.hooks.sending = async (call) => (call.type === 'pay' ? 'refused' : 'arrives')
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
  expect(json).toMatchObject({ quote: { id: order.quote_id }, source: null })
  expect(await walletOf(tenant)).toEqual({ available: balanceBefore, held: '0.000000' })
  await expectEvent(api, tenant, json, 'payout.cancelled')
  expect(api.lines()).toContainEqual(
    expect.objectContaining({ level: 'error', alert: 'ORDER_NOT_SENT', subject: json.id }),
  )
})

test('the log line of a payout names the key and the address that asked for it, and operators find it by the key', async () => {
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  const key_id = tenant.keyId
  expect(api.lines()).toContainEqual(
    expect.objectContaining({ unit: 'request', payout_id: json.id, key_id, address: '127.0.0.1' }),
  )
  const found = await api.operator('GET', `/operator/v1/payouts?key_id=${key_id}`)
  expect(found.json.data).toMatchObject([{ id: json.id, key_id }])
  const other = key_id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  const none = await api.operator('GET', `/operator/v1/payouts?key_id=${other}`)
  expect(none.json.data).toEqual([])
})

test('a failed read of the QR: 503 OPERATION_UNCERTAIN, nothing written, a retry is safe', async () => {
  const order = await tenant.order()
  api.hooks.sending = async () => 'lost'
  const reply = await tenant.post('/v1/payouts', order)
  expect([reply.status, reply.code]).toEqual([503, 'OPERATION_UNCERTAIN'])
  expect(reply.json.error.message).toMatch(/QR could not be read.*attempted nothing and never will/)
  expect(reply.headers.get('retry-after')).toBe('1')
  expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
  expect(await quoteStatus(tenant, order.quote_id)).toBe('open')
  delete api.hooks.sending
  const again = await tenant.post('/v1/payouts', order)
  expect(again.json.status).toBe('completed')
  expect(again.headers.get('idempotent-replayed')).toBeNull()
})

test.each([
  ['read', 'findForCreate'],
  ['written', 'commit'],
] as const)('a store that cannot be %s: 503 OPERATION_UNCERTAIN', async (_, method) => {
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
