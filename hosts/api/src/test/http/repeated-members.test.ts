import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant

beforeAll(async () => {
  tenant = await api.tenant()
})

test.each([
  ['{"content":"a","cont\\u0065nt":"b"}', ['content']],
  ['{"a":1,"b":{"c":1,"c":2},"a":3,"a":4}', ['a', 'b.c']],
])('a repeated member is a 400 that names it: %s', async (raw, fields) => {
  const reply = await tenant.post('/v1/payouts/qr/resolve', undefined, { raw })
  expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
  const repeated = reply.json.error.details.filter(
    ({ message }: { message: string }) => message === 'must not be repeated',
  )
  expect(repeated.map(({ field }: { field: string }) => field).toSorted()).toEqual(fields)
  for (const field of fields) expect(reply.json.error.message).toContain(field)
  expect(reply.json.error.details[0].message).toBe('must not be repeated')
})

test('a payout with two contents pays nothing', async () => {
  const { qr, ...order } = await tenant.order()
  const text = JSON.stringify(order).slice(1)
  const raw = `{"qr":{"content":"MOCK"},"qr":${JSON.stringify(qr)},${text}`
  const reply = await tenant.post('/v1/payouts', undefined, { raw })
  expect(reply.json.error.details).toEqual([{ field: 'qr', message: 'must not be repeated' }])
  expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
})

test('a repeated member in an operator’s body is a 400', async () => {
  const url = `/operator/v1/tenants/${tenant.id}`
  const reply = await fetch(api.operatorUrl + url, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer the-token-of-olivia', 'Content-Type': 'application/json' },
    body: '{"fee_bps":1,"fee_bps":2}',
  })
  const { error } = (await reply.json()) as { error: { details: unknown } }
  expect(error.details).toEqual([{ field: 'fee_bps', message: 'must not be repeated' }])
})
