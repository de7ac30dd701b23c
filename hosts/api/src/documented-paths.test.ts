import { publicOpenApi } from '@quipu/wire'
import { type JsonSchema, satisfiesSchema, type SchemaDocument } from '@quipu/wire/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from './api.fixture.ts'
import { ownWallet } from './chain.fixture.ts'
import { depositMaker } from './deposits.fixture.ts'
import type { Json } from './http-client.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant
/** Where each path with an id leads. */
let places: Record<string, string>
/** What is sent to it. */
let sent: Record<string, unknown>

const url = 'https://example.com/quipu'
const document = publicOpenApi() as unknown as SchemaDocument & {
  paths: Record<string, Record<string, Json>>
}

beforeAll(async () => {
  api = await testApi()
  tenant = await api.tenant()
  const register = async (): Promise<string> =>
    `/v1/webhooks/${(await tenant.post('/v1/webhooks', { url })).json.id}`
  const [doomed, webhook] = [await register(), await register()]
  const content = await tenant.qr()
  const order = await tenant.order()
  const paid = await tenant.post('/v1/payouts', order)
  await api.deliver()
  await tenant.get('/v1/wallets')
  const make = depositMaker(api.stores, api.clock.now)
  const deposit = await make({ tenantId: tenant.id, value: 500_000n })
  const [delivery] = (await tenant.get(`${webhook}/deliveries?status=delivered`)).json.data
  places = {
    '/v1/payouts/{id}': `/v1/payouts/${paid.json.id}`,
    '/v1/quotes/{id}': `/v1/quotes/${order.quote_id}`,
    '/v1/deposits/{id}': `/v1/deposits/${deposit.id}`,
    '/v1/events/{id}': `/v1/events/${delivery.event_id}`,
    '/v1/webhooks/{id}': doomed,
    '/v1/webhooks/{id}/test': `${webhook}/test`,
    '/v1/webhooks/{id}/reactivate': `${webhook}/reactivate`,
    '/v1/webhooks/{id}/rotate-secret': `${webhook}/rotate-secret`,
    '/v1/webhooks/{id}/deliveries': `${webhook}/deliveries`,
    '/v1/webhooks/{id}/deliveries/{delivery_id}': `${webhook}/deliveries/${delivery.id}`,
    '/v1/webhooks/{id}/deliveries/{delivery_id}/resend': `${webhook}/deliveries/${delivery.id}/resend`,
  }
  sent = {
    'post /v1/payouts': order,
    'post /v1/payouts/qr/resolve': { content },
    'post /v1/quotes': { target: { currency: 'BOB', amount: '5' } },
    'post /v1/sandbox/qr-codes': { amount_mode: 'open' },
    'post /v1/sandbox/faucet': { chain: 'tron', address: ownWallet, amount: '100.00' },
    'post /v1/webhooks': { url },
    'patch /v1/webhooks/{id}': { description: 'mine' },
    'post /v1/webhooks/{id}/rotate-secret': { grace_seconds: 60 },
  }
})
afterAll(() => api.stop())

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [method, path, operation] as [string, string, Json],
  ),
)

test.each(operations)('%s %s is there, and answers as the document says', async (...given) => {
  const [method, path, operation] = given
  const reply = await api.ask(method.toUpperCase(), places[path] ?? path, {
    key: tenant.key,
    body: sent[`${method} ${path}`],
    headers: { 'Idempotency-Key': 'once' },
  })
  expect(reply.status).toBeLessThan(300)
  const described = operation.responses[String(reply.status)]
  expect(described).toBeDefined()
  const schema: JsonSchema | undefined = described.content?.['application/json']?.schema
  if (schema) expect(satisfiesSchema(schema, reply.json, document)).toBe(true)
  else expect(reply.json).toBeUndefined()
})
