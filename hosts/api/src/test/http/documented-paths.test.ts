import { publicOpenApi } from '@quipu/wire'
import { type JsonSchema, schemaFaults, type SchemaDocument } from '@quipu/wire/testing'
import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { ownWallet } from '../harness/chain.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
/** Has no records of its own. */
let otherTenant: TestTenant
/** Each path with ids, with the tenant's ids filled in. */
let places: Record<string, string>
/** The body of each operation. */
let sent: Record<string, unknown>

const url = 'https://example.com/quipu'
const document = publicOpenApi() as unknown as SchemaDocument & { paths: Record<string, Record<string, Json>> }

beforeAll(async () => {
  tenant = await api.tenant()
  otherTenant = await api.tenant()
  const register = async (): Promise<string> => `/v1/webhooks/${(await tenant.post('/v1/webhooks', { url })).json.id}`
  const [doomed, webhook] = [await register(), await register()]
  const tokens = { chain: 'tron', address: ownWallet, amount: '100.00' }
  const headers = { 'Idempotency-Key': 'first' }
  const faucet = await tenant.post('/v1/sandbox/faucet', tokens, { headers })
  api.clock.step(60_000)
  const content = await tenant.qr()
  const order = await tenant.order()
  const paid = await tenant.post('/v1/payouts', order)
  await api.deliver()
  await tenant.get('/v1/wallets')
  const make = depositMaker(api.stores, api.clock.now)
  const deposit = await make({ tenantId: tenant.id, value: 500_000n })
  const [delivery] = (await tenant.get(`${webhook}/deliveries?status=delivered`)).json.data
  const made = { name: 'spare', scopes: ['wallet:read'] }
  const spare = (await api.operator('POST', `/operator/v1/tenants/${tenant.id}/api-keys`, made)).json
  places = {
    '/v1/payouts/{id}': `/v1/payouts/${paid.json.id}`,
    '/v1/statements/{period}': `/v1/statements/${paid.json.created_at.slice(0, 10)}`,
    '/v1/quotes/{id}': `/v1/quotes/${order.quote_id}`,
    '/v1/deposits/{id}': `/v1/deposits/${deposit.id}`,
    '/v1/sandbox/faucet/{id}': `/v1/sandbox/faucet/${faucet.json.id}`,
    '/v1/events/{id}': `/v1/events/${delivery.event_id}`,
    '/v1/api-keys/{id}/rotate': `/v1/api-keys/${tenant.keyId}/rotate`,
    '/v1/api-keys/{id}/revoke': `/v1/api-keys/${spare.id}/revoke`,
    '/v1/webhooks/{id}': doomed,
    '/v1/webhooks/{id}/test': `${webhook}/test`,
    '/v1/webhooks/{id}/replay': `${webhook}/replay`,
    '/v1/webhooks/{id}/pause': `${webhook}/pause`,
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
    'post /v1/sandbox/faucet': tokens,
    'patch /v1/wallets': { low_balance_threshold: '500' },
    'post /v1/webhooks': { url },
    'patch /v1/webhooks/{id}': { description: 'mine' },
    'post /v1/webhooks/{id}/replay': { since: '2026-01-01T00:00:00Z' },
    'post /v1/webhooks/{id}/rotate-secret': { grace_seconds: 60 },
  }
})

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [method, path, operation] as [string, string, Json]),
)

const idIn = /(?<=\/)(?:[a-z]{2,3}_[0-9A-Z]{26}|[0-9a-f-]{36})/g
/** An id of the same form that does not exist. */
const unknownId = (id: string): string => `${id.slice(0, -4)}0000`

test.each(operations.filter(([, path]) => path.includes('id}')))(
  '%s %s: another tenant gets the same answer as for an id that does not exist',
  async (method, path) => {
    const ask = async (place: string) => {
      const { status, json } = await api.request(method.toUpperCase(), place, {
        key: otherTenant.key,
        body: sent[`${method} ${path}`],
      })
      return { status, error: { ...json.error, request_id: null } }
    }
    const place = places[path] ?? ''
    const theirs = await ask(place)
    expect(theirs.status).toBe(404)
    for (const unknown of [unknownId, () => 'x', () => '%00']) {
      const unknownPath = place.replaceAll(idIn, unknown)
      expect(unknownPath).not.toBe(place)
      expect(await ask(unknownPath), unknownPath).toEqual(theirs)
    }
  },
)

test.each(operations.filter(([method, path]) => method === 'get' && !path.includes('id}')))(
  '%s %s: another tenant sees none of the tenant’s records',
  async (_, path) => {
    const place = places[path] ?? path
    const seen = JSON.stringify((await api.request('GET', place, { key: otherTenant.key })).json)
    expect(seen).not.toContain(tenant.id)
    for (const place of Object.values(places)) for (const [id] of place.matchAll(idIn)) expect(seen).not.toContain(id)
  },
)

test('another tenant can neither quote nor pay with a resolution', async () => {
  const order = await tenant.order()
  const { json } = await tenant.post('/v1/payouts/qr/resolve', { content: order.qr.content })
  const priced = await otherTenant.post('/v1/quotes', { resolution_id: json.resolution_id })
  expect([priced.status, priced.json.error.code]).toEqual([404, 'RESOLUTION_NOT_FOUND'])
  const paid = await otherTenant.post('/v1/payouts', order)
  expect([paid.status, paid.json.error.code]).toEqual([404, 'QUOTE_NOT_FOUND'])
})

test.each(operations)('%s %s answers as the document says', async (...row) => {
  const [method, path, operation] = row
  const reply = await api.request(method.toUpperCase(), places[path] ?? path, {
    key: tenant.key,
    body: sent[`${method} ${path}`],
    headers: { 'Idempotency-Key': 'once' },
  })
  expect(reply.status).toBeLessThan(300)
  const described = operation.responses[String(reply.status)]
  expect(described).toBeDefined()
  const schema: JsonSchema | undefined = described.content?.['application/json']?.schema
  if (schema) expect(schemaFaults(schema, reply.json, document)).toEqual([])
  else expect(reply.json).toBeUndefined()
})
