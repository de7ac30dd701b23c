import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../harness/http-client.fixture.ts'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import type { Receiver } from '../harness/receiver.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { signatureFault, webhookEnv, type WebhookSetup, webhookSetup } from '../harness/webhook-setup.fixture.ts'

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

test('spec §6 — a payout’s event arrives, with the bytes that GET /v1/events/{id} shows', async () => {
  const { id, secret } = await webhooks.register()
  const payout = (await tenant.post('/v1/payouts', await tenant.order())).json
  await webhooks.deliver()
  const [received] = inbox.received
  expect(signatureFault(secret, received)).toBeNull()
  const [delivery] = (await tenant.get(`${path}/${id}/deliveries`)).json.data
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [{ status_code: 200, error: null, response_excerpt: '{"received":true}' }],
  })
  const shown = await fetch(`${server.api.url}/v1/events/${delivery.event_id}`, {
    headers: { 'X-API-Key': tenant.key },
  })
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(received?.body)
  const envelope: Json = JSON.parse(Buffer.from(received?.body ?? []).toString())
  expect(envelope).toMatchObject({ id: delivery.event_id, type: 'payout.completed' })
  expect(envelope.data).toEqual(payout)

  const resent = await tenant.post(`${path}/${id}/deliveries/${delivery.id}/resend`, {})
  expect(resent.status).toBe(202)
  await webhooks.deliver()
  expect(inbox.received[1]?.body).toEqual(received?.body)
  expect((await tenant.get(`${path}/${id}`)).json).toMatchObject({ status: 'active', queued: 0 })
})

test('every secret that concurrent rotations return is valid', async () => {
  const { id, secret } = await webhooks.register()
  const rotate = () => tenant.post(`${path}/${id}/rotate-secret`, {})
  const replies = await Promise.all(Array.from({ length: 8 }, rotate))
  const shown = replies.filter(({ status }) => status === 200).map(({ json }) => json.secret)
  expect(shown).toHaveLength(4)
  await tenant.post(`${path}/${id}/test`, {})
  for (const good of [secret, ...shown])
    for (const received of inbox.received) expect(signatureFault(good, received)).toBeNull()
  expect(inbox.received).toHaveLength(1)
})

test('without WEBHOOK_ALLOW_PRIVATE a URL without a public host is refused', async () => {
  const strict = await postgresApi({ ...webhookEnv, WEBHOOK_ALLOW_PRIVATE: 'false' })
  const by = await strict.tenant(0n)
  for (const url of [inbox.url, 'https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'x']) {
    const reply = await by.post(path, { url })
    expect([reply.status, reply.code], url).toEqual([400, 'VALIDATION_FAILED'])
    expect(reply.json.error.details).toEqual([{ field: 'url', message: expect.any(String) }])
  }
  expect((await by.post(path, { url: 'https://example.com/' })).status).toBe(201)
  await strict.stop()
})

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
