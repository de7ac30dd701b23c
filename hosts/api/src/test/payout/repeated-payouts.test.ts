import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Order, TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const available = async (): Promise<string> => (await tenant.get('/v1/wallets')).json.available

test.each([
  ['its members in another order', (order: Order) => Object.fromEntries(Object.entries(order).reverse()), 201],
  ['white space', (order: Order) => JSON.stringify(order, null, 3), 201],
  ['a description', (order: Order) => ({ ...order, description: 'x' }), 409],
  ['an empty description', (order: Order) => ({ ...order, description: '' }), 409],
  ['other content', (order: Order) => ({ ...order, qr: { content: 'x' } }), 409],
  ['the quote id in capitals', (order: Order) => ({ ...order, quote_id: order.quote_id.toUpperCase() }), 409],
])('spec §4 rule 7 — the same id with %s', async (_, change, status) => {
  const order = { ...(await tenant.order()) }
  const first = await tenant.post('/v1/payouts', order)
  const changed = change(order)
  const sent = typeof changed === 'string' ? { raw: changed } : {}
  const again = await tenant.post('/v1/payouts', changed, sent)
  expect(again.status).toBe(status)
  if (status === 201) expect(again.json).toEqual(first.json)
  else {
    expect(again.code).toBe('TRANSACTION_ID_REUSED')
    expect(again.json.error.payout_id).toBe(first.json.id)
  }
  expect(await available()).toBe('989.796647')
})

test('spec §7 — a used id is checked before the quote', async () => {
  const order = await tenant.order()
  const first = await tenant.post('/v1/payouts', order)
  const unknown = { ...order, quote_id: '0199a3f4-5c00-7000-8000-000000000001' }
  const again = await tenant.post('/v1/payouts', unknown)
  expect([again.status, again.code]).toEqual([409, 'TRANSACTION_ID_REUSED'])
  expect(again.json.error.payout_id).toBe(first.json.id)
})

test('two tenants may use the same transaction_id', async () => {
  const other = await api.tenant()
  const transaction_id = 'order.1:a_b-C'
  const mine = await tenant.post('/v1/payouts', await tenant.order({ transaction_id }))
  const theirs = await other.post('/v1/payouts', await other.order({ transaction_id }))
  expect([mine.json.status, theirs.json.status]).toEqual(['completed', 'completed'])
  expect(mine.json.id).not.toBe(theirs.json.id)
})

test('spec §4 rule 7 — an Idempotency-Key header changes nothing', async () => {
  const one = await tenant.order()
  const two = await tenant.order()
  const headers = { 'Idempotency-Key': 'the same' }
  const first = await tenant.post('/v1/payouts', one, { headers })
  const second = await tenant.post('/v1/payouts', two, { headers })
  expect([first.status, second.status]).toEqual([201, 201])
  expect(first.json.id).not.toBe(second.json.id)
  const again = await tenant.post('/v1/payouts', one, { headers: { 'Idempotency-Key': 'another' } })
  expect(again.json).toEqual(first.json)
})

test('spec §4 rule 2 — a bank transfer: 422, nothing attempted, the id stays free', async () => {
  const order = await tenant.order()
  const { qr: _, ...rest } = order
  const transfer = { ...rest, type: 'bank_transfer', bank_transfer: bankTransfer }
  const reply = await tenant.post('/v1/payouts', transfer)
  expect([reply.status, reply.code]).toEqual([422, 'PAYOUT_TYPE_NOT_AVAILABLE'])
  expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
  expect((await tenant.get(`/v1/quotes/${order.quote_id}`)).json.status).toBe('open')
  expect((await tenant.post('/v1/payouts', order)).json.status).toBe('completed')
})

test('a bank transfer is a 422 also with a used id or an unknown quote', async () => {
  const order = await tenant.order()
  await tenant.post('/v1/payouts', order)
  const { qr: _, ...rest } = order
  const quote_id = '0199a3f4-5c00-7000-8000-000000000001'
  const transfer = { ...rest, quote_id, type: 'bank_transfer', bank_transfer: bankTransfer }
  expect((await tenant.post('/v1/payouts', transfer)).code).toBe('PAYOUT_TYPE_NOT_AVAILABLE')
})

const bankTransfer = {
  bank_code: '1016',
  account_number: '1234567890',
  branch_city: 'LPZ',
  holder_name: 'Ana Quispe',
  identification_number: '1234567-LP',
}
