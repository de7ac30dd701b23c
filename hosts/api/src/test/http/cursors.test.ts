import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import type { Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

// Every list over PostgreSQL and real HTTP: an altered cursor is refused, never read as the last page.

let server: PostgresApi
let tenant: TestTenant
let webhook: string

beforeAll(async () => {
  server = await postgresApi({ WEBHOOK_SECRET_KEY: '0f'.repeat(32), WEBHOOK_ALLOW_PRIVATE: 'true' })
  tenant = await server.tenant()
  const url = 'http://127.0.0.1:9/quipu'
  webhook = (await tenant.post('/v1/webhooks', { url })).json.id
  await tenant.post('/v1/webhooks', { url })
  for (let i = 0; i < 2; i++) await tenant.post('/v1/payouts', await tenant.order())
  await server.operator('POST', `/operator/v1/tenants/${tenant.id}/api-keys`, {
    name: 'second',
    scopes: ['payouts:read'],
  })
  await server.tenant()
})
afterAll(() => server.stop())

type Read = (search: string) => Promise<Reply>
const own =
  (path: () => string): Read =>
  (search) =>
    tenant.get(`${path()}?${search}`)
const operators =
  (path: () => string): Read =>
  (search) =>
    server.operator('GET', `${path()}?${search}`)

const lists: readonly (readonly [name: string, read: Read])[] = [
  ['payouts', own(() => '/v1/payouts')],
  ['completed payouts', (search) => tenant.get(`/v1/payouts?status=completed&${search}`)],
  ['events', own(() => '/v1/events')],
  ['deliveries', own(() => `/v1/webhooks/${webhook}/deliveries`)],
  ['webhooks', own(() => '/v1/webhooks')],
  ['wallet transactions', own(() => '/v1/wallets/transactions')],
  ['own API keys', own(() => '/v1/api-keys')],
  ['tenants', operators(() => '/operator/v1/tenants')],
  ['API keys', operators(() => `/operator/v1/tenants/${tenant.id}/api-keys`)],
]

const cursorOf = async (read: Read): Promise<string> => {
  const { status, json } = await read('limit=1')
  expect([status, json.data.length]).toEqual([200, 1])
  return json.next_cursor as string
}

test.each(lists)('%s: a changed id or instant inside a cursor is a 400', async (_name, read) => {
  const text = Buffer.from(await cursorOf(read), 'base64url').toString()
  const digits = [...text.matchAll(/[0-9]/g)]
  for (const { index, 0: digit } of digits) {
    const changed = `${text.slice(0, index)}${(Number(digit) + 1) % 10}${text.slice(index + 1)}`
    const cursor = Buffer.from(changed).toString('base64url')
    const { status, code } = await read(`limit=1&cursor=${cursor}`)
    expect([status, code], changed).toEqual([400, 'VALIDATION_FAILED'])
  }
})
