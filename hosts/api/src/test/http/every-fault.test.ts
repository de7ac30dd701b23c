import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { ownWallet } from '../harness/chain.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant

beforeAll(async () => {
  tenant = await api.tenant()
  api.webhooks.checkUrl = async (url) => (url.startsWith('https://') ? null : 'is not https')
})

const quote_id = '0199a3f4-5c00-7000-8000-000000000001'
const pay = { transaction_id: 'order-1', type: 'qr', quote_id, qr: { content: 'x' } }
const bank_transfer = {
  bank_code: '1016',
  account_number: '123456',
  branch_city: 'LPZ',
  holder_name: 'Ana',
  identification_number: '12345',
}
const transfer = { transaction_id: 'order-1', type: 'bank_transfer', quote_id, bank_transfer }
const once = { 'Idempotency-Key': 'once' }

const fieldsOf = (reply: { readonly json: Json }): string[] =>
  reply.json.error.details.map(({ field }: { field: string }) => field)

const mistyped = `${ownWallet.slice(0, -1)}${ownWallet.endsWith('A') ? 'B' : 'A'}`

test.each([
  ['POST', '/v1/quotes', '{"amount":"1.00"}', ['amount', 'target']],
  ['POST', '/v1/quotes?dry=1', '{"resolution_id":"x","resolution_id":"y"}', ['resolution_id', 'dry']],
  ['POST', '/v1/quotes', '{"a":1,"a":2,"b":1}', ['a', 'b', 'target']],
  ['POST', '/v1/quotes?dry=1', '{', ['body', 'dry']],
  [
    'POST',
    '/v1/sandbox/faucet',
    JSON.stringify({ chain: 'tron', address: mistyped, amount: '0' }),
    ['amount', 'address'],
  ],
  ['POST', '/v1/webhooks', '{"url":"ftp://x","events":[]}', ['events', 'url']],
  ['PATCH', '/v1/webhooks/we_1', '{"url":"http://10.0.0.1/","events":[]}', ['events', 'url']],
  ['GET', '/v1/payouts?limit=0&cursor=bad', undefined, ['limit', 'cursor']],
  [
    'GET',
    '/v1/payouts?from=2026-03-02T12:00:01Z&to=2026-03-02T12:00:00Z&limit=0&cursor=bad',
    undefined,
    ['limit', 'cursor', 'from'],
  ],
])('%s %s %s: one answer lists %j', async (method, path, raw, fields) => {
  const reply = await api.request(method, path, { key: tenant.key, headers: once, ...(raw !== undefined && { raw }) })
  expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(fieldsOf(reply)).toEqual(fields)
})

test('one answer to an operator lists what later checks find too', async () => {
  const past = '2026-03-01T00:00:00Z'
  const key = await api.operator('POST', `/operator/v1/tenants/${tenant.id}/api-keys`, {
    name: 'late',
    scopes: [],
    expires_at: past,
  })
  expect(fieldsOf(key)).toEqual(['scopes', 'expires_at'])
  const token = await api.operator('POST', '/operator/v1/operator-tokens', {
    person: 'ana',
    label: '',
    role: 'viewer',
    hash: 'a'.repeat(64),
    expires_at: past,
    reason: 'A new colleague.',
  })
  expect(fieldsOf(token)).toEqual(['label', 'expires_at', 'hash'])
})

const names = Array.from({ length: 6_000 }, (_, i) => `m${i}`)

test.each([
  ['6,000 unknown members', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))],
  [
    'names of 3,000 characters',
    `{${names
      .slice(0, 20)
      .map((n) => `"${n.padEnd(3e3, 'x')}":1`)
      .join()}}`,
  ],
  ['repeated members at a depth of 30,000', `${'['.repeat(30_000)}{"a":1,"a":2}${']'.repeat(30_000)}`],
])('a body with %s is answered with at most 20 faults and 20 kB', async (_, raw) => {
  const reply = await tenant.post('/v1/payouts', undefined, { raw })
  expect(reply.status).toBe(400)
  expect(fieldsOf(reply).length).toBeLessThanOrEqual(20)
  expect(JSON.stringify(reply.json).length).toBeLessThan(20_000)
})

test('a 400 says how many more faults there are, of a body and of a query', async () => {
  const members = Object.fromEntries(names.slice(0, 25).map((name) => [name, 1]))
  const body = await tenant.post('/v1/webhooks', { url: 'https://x.example', ...members })
  expect(body.json.error.message).toMatch(/; and 5 more\.$/)
  const query = names.slice(0, 1_000).join('&')
  const list = await tenant.get(`/v1/payouts?${query}`)
  expect([list.status, fieldsOf(list).length]).toEqual([400, 20])
  expect(list.json.error.message).toMatch(/; and 980 more\.$/)
  expect(JSON.stringify(list.json).length).toBeLessThan(20_000)
})

test.each([
  ['/v1/payouts', { ...pay, description: null, bank_transfer: null }, 'QUOTE_NOT_FOUND'],
  ['/v1/payouts', { ...transfer, qr: null, description: null }, 'PAYOUT_TYPE_NOT_AVAILABLE'],
  ['/v1/payouts', { ...pay, description: null, card: null }, 'VALIDATION_FAILED'],
  ['/v1/quotes', { target: null, resolution_id: 'qrr_unknown' }, 'RESOLUTION_NOT_FOUND'],
])('null is the same as leaving out: %s %j', async (path, body, code) => {
  expect((await tenant.post(path, body)).code).toBe(code)
})

test('a webhook is registered with nulls for what it leaves out', async () => {
  const body = { url: 'https://example.com/nulls', events: null, description: null }
  const { status, json } = await tenant.post('/v1/webhooks', body)
  expect([status, json.events, json.description]).toEqual([201, ['*'], null])
})
