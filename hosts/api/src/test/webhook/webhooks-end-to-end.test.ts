import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import type { Receiver } from '../harness/receiver.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { webhookEnv, type WebhookSetup, webhookSetup } from '../harness/webhook-setup.fixture.ts'

// The API over PostgreSQL, with webhooks over real HTTP.

let server: PostgresApi
let webhooks: WebhookSetup
let tenant: TestTenant
let inbox: Receiver

beforeAll(async () => {
  server = await postgresApi(webhookEnv)
})
afterAll(() => server.stop())
beforeEach(async () => {
  webhooks = await webhookSetup(server)
  ;({ tenant, inbox } = webhooks)
})
afterEach(() => webhooks.close())

const path = '/v1/webhooks'

test('a stop waits for a running test delivery', async () => {
  const other = await postgresApi(webhookEnv)
  const otherTenant = await other.tenant(0n)
  const { id } = await webhooks.register(otherTenant)
  const release = inbox.hold()
  const reply = otherTenant.post(`${path}/${id}/test`, {})
  await inbox.until(1)
  const stopped = other.stop()
  release()
  expect((await reply).json).toMatchObject({ delivered: true })
  await stopped
})

test('during a database outage every endpoint answers 503 and nothing is sent', async () => {
  const { id } = await webhooks.register()
  await server.cutDatabase()
  const requests = [
    tenant.get(path),
    tenant.get(`${path}/${id}`),
    tenant.get(`${path}/${id}/deliveries`),
    tenant.get('/v1/events'),
    tenant.post(path, { url: inbox.url }),
    tenant.post(`${path}/${id}/test`, {}),
    tenant.post(`${path}/${id}/rotate-secret`, {}),
    tenant.post(`${path}/${id}/reactivate`, {}),
    tenant.patch(`${path}/${id}`, { description: 'x' }),
    tenant.remove(`${path}/${id}`),
  ]
  for (const { status, code } of await Promise.all(requests))
    expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(inbox.received).toEqual([])
  await server.restoreDatabase()
  await expect.poll(async () => (await tenant.get(path)).status).toBe(200)
  expect((await tenant.get(`${path}/${id}`)).json).toMatchObject({ description: null })
})
