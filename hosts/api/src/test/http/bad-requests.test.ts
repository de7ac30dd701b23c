import fc from 'fast-check'
import { httpErrors, publicOpenApi } from '@quipu/wire'
import { arbitraryFromSchema, type JsonSchema, nearMisses, type SchemaDocument } from '@quipu/wire/testing'
import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { ownWallet } from '../harness/chain.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
/** A webhook endpoint of the tenant. */
let webhookId: string

beforeAll(async () => {
  tenant = await api.tenant()
  const made = await tenant.post('/v1/webhooks', { url: 'https://example.com' })
  webhookId = made.json.id
})

const uuid = '0199a3f4-5c00-7000-8000-000000000001'
const pay = { transaction_id: 'order-1', type: 'qr', quote_id: uuid, qr: { content: 'x' } }
const details = {
  bank_code: '1016',
  account_number: '123456',
  branch_city: 'LPZ',
  holder_name: 'Ana',
  identification_number: '12345',
}
const transfer = { transaction_id: 'order-1', type: 'bank_transfer', quote_id: uuid, bank_transfer: details }
const faucet = { chain: 'tron', address: ownWallet, amount: '100.00' }
const once = { 'Idempotency-Key': 'once' }
const withDetail = (name: string, value: unknown): object => ({
  ...transfer,
  bank_transfer: { ...details, [name]: value },
})
const { transaction_id: _id, ...unnamed } = pay
const { quote_id: _quote, ...unquoted } = pay
const { type: _type, ...untyped } = pay
const { qr: _qr, ...blind } = pay
const digits = '1'.repeat(31)

/** Each rule of the request table, with a body that violates only it and the field at fault. */
const violations: readonly (readonly [rule: string, field: string, body: unknown])[] = [
  ['transaction_id is required', 'transaction_id', unnamed],
  ['transaction_id is a string', 'transaction_id', { ...pay, transaction_id: 1 }],
  ['transaction_id has 1 character or more', 'transaction_id', { ...pay, transaction_id: '' }],
  ['transaction_id has 100 at most', 'transaction_id', { ...pay, transaction_id: 'x'.repeat(101) }],
  ['transaction_id has no blank', 'transaction_id', { ...pay, transaction_id: 'a b' }],
  ['transaction_id has no line end', 'transaction_id', { ...pay, transaction_id: 'a\n' }],
  ['transaction_id is ASCII', 'transaction_id', { ...pay, transaction_id: 'ñ' }],
  ['type is required', 'type', untyped],
  ['type is qr or bank_transfer', 'type', { ...pay, type: 'QR' }],
  ['quote_id is required', 'quote_id', unquoted],
  ['quote_id is a UUID', 'quote_id', { ...pay, quote_id: 'q-1' }],
  ['quote_id is a string', 'quote_id', { ...pay, quote_id: null }],
  ['qr is required with type qr', 'qr', blind],
  ['qr is an object', 'qr', { ...pay, qr: 'x' }],
  ['qr.content is required', 'qr.content', { ...pay, qr: {} }],
  ['qr.content is a string', 'qr.content', { ...pay, qr: { content: 1 } }],
  ['qr.content is not empty', 'qr.content', { ...pay, qr: { content: '' } }],
  ['qr.content has 500 characters at most', 'qr.content', { ...pay, qr: { content: 'x'.repeat(501) } }],
  ['qr.content has no NUL', 'qr.content', { ...pay, qr: { content: 'a\u0000' } }],
  ['qr.content has no lone surrogate', 'qr.content', { ...pay, qr: { content: '\uD800' } }],
  ['qr has no other member', 'qr.image', { ...pay, qr: { content: 'x', image: 'x' } }],
  ['bank_transfer is not sent with type qr', 'bank_transfer', { ...pay, bank_transfer: details }],
  ['description has 200 characters at most', 'description', { ...pay, description: 'x'.repeat(201) }],
  ['description is a string', 'description', { ...pay, description: 5 }],
  ['no other member is known', 'amount', { ...pay, amount: '1.00' }],
  ['qr is not sent with type bank_transfer', 'qr', { ...transfer, qr: pay.qr }],
  ['bank_transfer is required with its type', 'bank_transfer', { ...transfer, bank_transfer: undefined }],
  ['bank_code is digits', 'bank_transfer.bank_code', withDetail('bank_code', 'BNB')],
  ['bank_code has 10 at most', 'bank_transfer.bank_code', withDetail('bank_code', digits.slice(0, 11))],
  ['bank_code is required', 'bank_transfer.bank_code', withDetail('bank_code', undefined)],
  ['account_number has 6 digits or more', 'bank_transfer.account_number', withDetail('account_number', '12345')],
  ['account_number has 30 at most', 'bank_transfer.account_number', withDetail('account_number', digits)],
  ['branch_city is one of nine', 'bank_transfer.branch_city', withDetail('branch_city', 'LIM')],
  ['holder_name has 3 characters or more', 'bank_transfer.holder_name', withDetail('holder_name', 'Al')],
  ['holder_name has 80 at most', 'bank_transfer.holder_name', withDetail('holder_name', 'x'.repeat(81))],
  [
    'identification_number has 5 or more',
    'bank_transfer.identification_number',
    withDetail('identification_number', '1234'),
  ],
  [
    'identification_number has 20 at most',
    'bank_transfer.identification_number',
    withDetail('identification_number', digits.slice(0, 21)),
  ],
  [
    'identification_number has no point',
    'bank_transfer.identification_number',
    withDetail('identification_number', '12.345'),
  ],
  ['the body is an object', 'body', [pay]],
  ['the body is not null', 'body', null],
]

test.each(violations)('spec §4, §8 — %s: 400 names %s', async (_, field, body) => {
  const reply = await tenant.post('/v1/payouts', body)
  expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(reply.json.error.details).toEqual([{ field, message: expect.any(String) }])
  expect(reply.json.error.message).toContain(field)
})

test('spec §7 — the message lists every wrong field, and details lists them one by one', async () => {
  const body = { ...withDetail('branch_city', 'X'), transaction_id: '', description: 5, extra: 1 }
  const { json } = await tenant.post('/v1/payouts', body)
  const fields = json.error.details.map(({ field }: { field: string }) => field)
  expect(fields.toSorted()).toEqual(['bank_transfer.branch_city', 'description', 'extra', 'transaction_id'])
  for (const field of fields) expect(json.error.message).toContain(field)
})

test.each([
  [
    '500 characters of content, 200 of description',
    { ...pay, qr: { content: '💰'.repeat(500) }, description: 'ñ'.repeat(200) },
  ],
  ['100 characters of transaction_id', { ...pay, transaction_id: 'aZ09._:-'.padEnd(100, 'x') }],
  ['a UUID in capitals', { ...pay, quote_id: uuid.toUpperCase() }],
])('spec §8 — %s are accepted', async (_, body) => {
  expect((await tenant.post('/v1/payouts', body)).code).toBe('QUOTE_NOT_FOUND')
})

test.each(['CBB', 'COB', 'LPZ', 'ORU', 'POT', 'SCZ', 'SUC', 'TJA', 'TRI'])(
  'spec §4 — branch_city %s is valid: 422, not 400',
  async (city) => {
    const reply = await tenant.post('/v1/payouts', withDetail('branch_city', city))
    expect(reply.code).toBe('PAYOUT_TYPE_NOT_AVAILABLE')
  },
)

const amounts = ['0', '0.00', '-1', '+1', '1e3', ' 1', '1.001', '05', '.5', '1.', '1,5', '٣', '1234567890123', '']

test.each(amounts)('a target of %j: 400 names target.amount', async (amount) => {
  const reply = await tenant.post('/v1/quotes', { target: { currency: 'BOB', amount } })
  expect(reply.json.error.details).toEqual([{ field: 'target.amount', message: expect.any(String) }])
})

test.each([
  ['POST', '/v1/quotes', { target: { currency: 'USDT', amount: '1' } }, 'target.currency'],
  ['POST', '/v1/quotes', { target: { currency: 'BOB', amount: 1 } }, 'target.amount'],
  ['POST', '/v1/quotes', {}, 'target'],
  ['POST', '/v1/quotes', { resolution_id: 'po_1' }, 'resolution_id'],
  ['POST', '/v1/payouts/qr/resolve', {}, 'content'],
  ['POST', '/v1/payouts/qr/resolve', { content: 'x'.repeat(501) }, 'content'],
  ['POST', '/v1/payouts/qr/resolve', { content: 'x', qr: {} }, 'qr'],
  ['POST', '/v1/sandbox/qr-codes', {}, 'amount_mode'],
  ['POST', '/v1/sandbox/qr-codes', { amount_mode: 'closed' }, 'amount'],
  ['POST', '/v1/sandbox/qr-codes', { amount_mode: 'open', amount: '1.00' }, 'amount'],
  ['POST', '/v1/sandbox/qr-codes', { amount_mode: 'open', scenario: 'x' }, 'scenario'],
  ['POST', '/v1/sandbox/qr-codes', { amount_mode: 'open', merchant_name: 'ñ'.repeat(21) }, 'merchant_name'],
  ['POST', '/v1/sandbox/qr-codes', { amount_mode: 'open', description: 'x'.repeat(61) }, 'description'],
  ['POST', '/v1/sandbox/faucet?dry=1', faucet, 'dry'],
  ['POST', '/v1/sandbox/faucet', { ...faucet, chain: 'TRON' }, 'chain'],
  ['POST', '/v1/sandbox/faucet', { ...faucet, address: 'T0' }, 'address'],
  ['POST', '/v1/sandbox/faucet', { ...faucet, amount: '1e2' }, 'amount'],
  ['POST', '/v1/webhooks', {}, 'url'],
  ['POST', '/v1/webhooks', { url: 'https://x.example', secret: 'mine' }, 'secret'],
  ['POST', '/v1/webhooks', { url: 'https://x.example', events: [] }, 'events'],
  ['POST', '/v1/webhooks', { url: 'https://x.example', events: ['payout.done'] }, 'events.0'],
  ['POST', '/v1/webhooks', { url: `https://x.example/${'x'.repeat(2_048)}` }, 'url'],
  ['POST', '/v1/webhooks/we_1/test', { type: 'payout.completed' }, 'type'],
  ['POST', '/v1/webhooks/we_1/reactivate', { force: true }, 'force'],
  ['POST', '/v1/webhooks/we_1/rotate-secret', { grace_seconds: 0.5 }, 'grace_seconds'],
  ['POST', '/v1/webhooks/we_1/deliveries/dlv_1/resend', { times: 2 }, 'times'],
  ['PATCH', '/v1/webhooks/we_1', {}, 'body'],
  ['PATCH', '/v1/webhooks/we_1', { url: null }, 'body'],
  ['PATCH', '/v1/webhooks/we_1', { status: 'active' }, 'status'],
  ['DELETE', '/v1/webhooks/we_1?force=1', undefined, 'force'],
  ['GET', '/v1/webhooks?status=paused', undefined, 'status'],
  ['GET', '/v1/webhooks/we_1?expand=deliveries', undefined, 'expand'],
  ['GET', '/v1/webhooks/we_1/deliveries?status=sent', undefined, 'status'],
  ['GET', '/v1/events?type=webhook.test', undefined, 'type'],
  ['POST', '/v1/payouts?dry=1', pay, 'dry'],
  ['GET', '/v1/wallets?currency=USDT', undefined, 'currency'],
  ['GET', '/v1/wallets/reconciliation?at=now', undefined, 'at'],
  ['GET', '/v1/wallets/transactions?limit=0', undefined, 'limit'],
  ['GET', '/v1/deposits?status=closed', undefined, 'status'],
  ['GET', '/v1/deposits/dep_1?expand=tenant', undefined, 'expand'],
  ['GET', '/v1/payouts/po_1?expand=quote', undefined, 'expand'],
  ['GET', '/v1/quotes/x?', undefined, undefined],
  ['GET', '/v1/payouts?status=processing', undefined, 'status'],
  ['GET', '/v1/payouts?status=completed&status=failed', undefined, 'status'],
  ['GET', '/v1/payouts?type=cash', undefined, 'type'],
  ['GET', '/v1/payouts?transaction_id=', undefined, 'transaction_id'],
  ['GET', '/v1/payouts?transaction_id=a%20b', undefined, 'transaction_id'],
  ['GET', '/v1/payouts?limit=0', undefined, 'limit'],
  ['GET', '/v1/payouts?limit=101', undefined, 'limit'],
  ['GET', '/v1/payouts?limit=1.0', undefined, 'limit'],
  ['GET', '/v1/payouts?from=2026-03-02', undefined, 'from'],
  ['GET', '/v1/payouts?from=2026-03-02T12:00:00', undefined, 'from'],
  ['GET', '/v1/payouts?to=2026-02-30T12:00:00Z', undefined, 'to'],
  ['GET', '/v1/payouts?from=2026-03-02T12:00:01Z&to=2026-03-02T12:00:00Z', undefined, 'from'],
  ['GET', '/v1/payouts?cursor=xyz', undefined, 'cursor'],
  ['GET', '/v1/payouts?Limit=5', undefined, 'Limit'],
])('%s %s %j: 400 names %s', async (method, path, body, field) => {
  const reply = await api.request(method, path, { key: tenant.key, body, headers: once })
  if (field === undefined) return expect(reply.status).toBe(404)
  expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(reply.json.error.details.map((issue: { field: string }) => issue.field)).toEqual([field])
})

const document = publicOpenApi() as unknown as SchemaDocument & { paths: Record<string, Record<string, Json>> }
const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const schema: JsonSchema | undefined = operation.requestBody?.content?.['application/json']?.schema
    return schema ? [{ method, path, schema, answers: Object.keys(operation.responses) }] : []
  }),
)
const known = new Set(Object.keys(httpErrors))

test.each(bodies)(
  'generated bodies for $method $path: a documented answer, each 400 lists fields, no 5xx, nothing is written',
  async ({ method, path, schema, answers }) => {
    const at = path.replace('{id}', webhookId).replace('{delivery_id}', 'dlv_1')
    const junk = fc.oneof(
      { weight: 4, arbitrary: nearMisses(schema, document) },
      { weight: 1, arbitrary: arbitraryFromSchema(schema, document) },
      { weight: 1, arbitrary: fc.jsonValue() },
    )
    await fc.assert(
      fc.asyncProperty(junk, async (body) => {
        const raw = JSON.stringify(body) ?? 'null'
        const options = { key: tenant.key, raw, headers: once }
        const reply = await api.request(method.toUpperCase(), at, options)
        expect(reply.status, raw).toBeLessThan(500)
        expect(answers).toContain(String(reply.status))
        if (reply.status < 400) return
        expect(known).toContain(reply.code)
        if (reply.status === 400) expect(reply.json.error.details.length).toBeGreaterThan(0)
      }),
      { numRuns: 150 },
    )
    expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
    expect((await tenant.get('/v1/wallets')).json).toMatchObject({ available: '1000.000000', held: '0.000000' })
  },
)

test('bytes that are not JSON are a 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
      const raw = Uint8Array.from(bytes)
      const reply = await tenant.post('/v1/payouts', undefined, { raw })
      expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
    }),
  )
})

test('random paths and queries are never a 5xx', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }).map(encode),
    fc.constantFrom('%ZZ', '%00', '..', 'po_', uuid),
  )
  const path = fc.tuple(
    fc.constantFrom(
      '/v1/payouts',
      '/v1/quotes',
      '/v1/wallets',
      '/v1/deposits',
      '/v1/events',
      '/v1/webhooks',
      `/v1/webhooks/${webhookId}/deliveries`,
      '/v1',
      '',
    ),
    fc.array(part, { maxLength: 2 }),
    fc.array(fc.tuple(part, part), { maxLength: 2 }),
  )
  await fc.assert(
    fc.asyncProperty(path, async ([base, parts, query]) => {
      const search = query.map((pair) => pair.join('=')).join('&')
      const url = `${[base, ...parts].join('/')}${search && `?${search}`}`
      const reply = await tenant.get(url.startsWith('/') ? url : `/${url}`)
      expect(reply.status, url).toBeLessThan(500)
    }),
    { numRuns: 200 },
  )
})

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
