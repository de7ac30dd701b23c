import fc from 'fast-check'
import { httpErrors, publicOpenApi } from '@quipu/wire'
import { arbitraryFromSchema, type JsonSchema, nearMisses, type SchemaDocument } from '@quipu/wire/testing'
import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
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
const details = {
  bank_code: '1016',
  account_number: '123456',
  branch_city: 'LPZ',
  holder_name: 'Ana',
  identification_number: '12345',
}
const transfer = { transaction_id: 'order-1', type: 'bank_transfer', quote_id: uuid, bank_transfer: details }
const once = { 'Idempotency-Key': 'once' }

test('spec §7 — the message lists every wrong field, and details lists them one by one', async () => {
  const body = {
    ...transfer,
    bank_transfer: { ...details, branch_city: 'X' },
    transaction_id: '',
    description: 5,
    extra: 1,
  }
  const { json } = await tenant.post('/v1/payouts', body)
  const fields = json.error.details.map(({ field }: { field: string }) => field)
  expect(fields.toSorted()).toEqual(['bank_transfer.branch_city', 'description', 'extra', 'transaction_id'])
  for (const field of fields) expect(json.error.message).toContain(field)
})

const document = publicOpenApi() as unknown as SchemaDocument & { paths: Record<string, Record<string, Json>> }
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
)

const inQuery = ['?no_such=1', undefined] as const
const inBody = ['', { no_such: 1 }] as const

test.each(operations.filter(([, path]) => !/^.(?:healthz|readyz)$/.test(path)))(
  '%s %s names an unknown parameter or member',
  async (method, path) => {
    const at = path.replaceAll(/[{]\w+[}]/g, 'x')
    const isRead = method === 'GET' || method === 'DELETE'
    for (const [query, body] of isRead ? [inQuery] : [inQuery, inBody]) {
      const { status, json } = await api.request(method, at + query, { key: tenant.key, headers: once, body })
      const fields = json.error.details.map(({ field }: Json) => field)
      expect([status, fields]).toEqual([400, expect.arrayContaining(['no_such'])])
    }
  },
)

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
