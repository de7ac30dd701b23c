import { Unavailable } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { quoteStatus } from '../harness/payout-checks.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
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

test('spec §4 — type=qr is every payout, type=bank_transfer none', async () => {
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  expect((await tenant.get('/v1/payouts?type=qr')).json.data).toEqual([json])
  expect((await tenant.get('/v1/payouts?type=bank_transfer')).json).toEqual({ data: [], next_cursor: null })
})
