import { type SignatureFault, verifyWebhook } from '@quipu/core'
import { aesSecretBox, systemClock, systemRandom } from '@quipu/runtime'
import { httpWebhookSender, type HttpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../harness/http-client.fixture.ts'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import { receiver, type Received, type Receiver } from '../harness/receiver.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { sendDue } from '../harness/webhooks.fixture.ts'

// The API over PostgreSQL, with webhooks over real HTTP.

const key = '0f'.repeat(32)
let server: PostgresApi
let tenant: TestTenant
let inbox: Receiver
let sender: HttpWebhookSender

beforeAll(async () => {
  server = await postgresApi({ WEBHOOK_SECRET_KEY: key, WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => server.stop())
beforeEach(async () => {
  tenant = await server.tenant()
  inbox = await receiver()
  sender = httpWebhookSender({ allowPrivate: true })
})
afterEach(async () => {
  await sender.stop()
  await inbox.stop()
})

const path = '/v1/webhooks'
const register = async (by = tenant): Promise<Json> =>
  (await by.post(path, { url: inbox.url })).json

const faultOf = (secret: string, { headers, body }: Received): SignatureFault | null =>
  verifyWebhook([secret], String(headers['x-service-signature']), body, new Date())

/** Sends what is due, as a worker with the same key does. */
function deliver(): Promise<void> {
  const secretBox = aesSecretBox(Uint8Array.from(Buffer.from(key, 'hex')), systemRandom)
  const ports = { sender, secretBox, urlGuard: webhookUrlGuard() }
  return sendDue(server.stores, ports, systemClock)()
}

test('spec §6 — a test arrives, signed with the endpoint’s secret', async () => {
  const { id, secret } = await register()
  const reply = await tenant.post(`${path}/${id}/test`, undefined)
  expect(reply.json).toMatchObject({ delivered: true, status_code: 200, error: null })
  const [received] = inbox.received
  if (!received) throw new Error('nothing was received')
  expect(faultOf(secret, received)).toBeNull()
  expect(received.headers['x-service-event-id']).toBe(reply.json.event_id)
  expect(received.headers['content-type']).toBe('application/json')
})

test('spec §6 — a payout’s event arrives, with the bytes that GET /v1/events/{id} shows', async () => {
  const { id, secret } = await register()
  const payout = (await tenant.post('/v1/payouts', await tenant.order())).json
  await deliver()
  const [received] = inbox.received
  if (!received) throw new Error('nothing was received')
  expect(faultOf(secret, received)).toBeNull()
  const [delivery] = (await tenant.get(`${path}/${id}/deliveries`)).json.data
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [{ status_code: 200, error: null, response_excerpt: '{"received":true}' }],
  })
  const shown = await fetch(`${server.api.url}/v1/events/${delivery.event_id}`, {
    headers: { 'X-API-Key': tenant.key },
  })
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(received.body)
  const envelope: Json = JSON.parse(Buffer.from(received.body).toString())
  expect(envelope).toMatchObject({ id: delivery.event_id, type: 'payout.completed' })
  expect(envelope.data).toEqual(payout)

  const resent = await tenant.post(`${path}/${id}/deliveries/${delivery.id}/resend`, {})
  expect(resent.status).toBe(202)
  await deliver()
  expect(inbox.received[1]?.body).toEqual(received.body)
  expect((await tenant.get(`${path}/${id}`)).json).toMatchObject({ status: 'active', queued: 0 })
})

test('16 endpoints a tenant, also when 40 are asked for at once', async () => {
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => tenant.post(path, { url: inbox.url })),
  )
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect([count(201), count(409)]).toEqual([16, 24])
  expect((await tenant.get(path)).json.data).toHaveLength(16)
})

test('of rotations at once, each secret that was shown is good', async () => {
  const { id, secret } = await register()
  const rotate = () => tenant.post(`${path}/${id}/rotate-secret`, {})
  const replies = await Promise.all(Array.from({ length: 8 }, rotate))
  const shown = replies.filter(({ status }) => status === 200).map(({ json }) => json.secret)
  expect(shown).toHaveLength(4)
  await tenant.post(`${path}/${id}/test`, {})
  for (const good of [secret, ...shown])
    for (const received of inbox.received) expect(faultOf(good, received)).toBeNull()
  expect(inbox.received).toHaveLength(1)
})

test('a URL without a host on the public internet is refused where private ones are', async () => {
  const strict = await postgresApi({ WEBHOOK_SECRET_KEY: key })
  const by = await strict.tenant(0n)
  for (const url of [
    inbox.url,
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'x',
  ]) {
    const reply = await by.post(path, { url })
    expect([reply.status, reply.code], url).toEqual([400, 'VALIDATION_FAILED'])
    expect(reply.json.error.details).toEqual([{ field: 'url', message: expect.any(String) }])
  }
  expect((await by.post(path, { url: 'https://example.com/' })).status).toBe(201)
  await strict.stop()
})

test('a stop waits for the test that is under way', async () => {
  const other = await postgresApi({ WEBHOOK_SECRET_KEY: key, WEBHOOK_ALLOW_PRIVATE: 'true' })
  const by = await other.tenant(0n)
  const { id } = await register(by)
  const release = inbox.hold()
  const reply = by.post(`${path}/${id}/test`, {})
  await inbox.until(1)
  const stopped = other.stop()
  release()
  expect((await reply).json).toMatchObject({ delivered: true })
  await stopped
})

test('while the database is gone: 503 everywhere, and nothing is sent', async () => {
  const { id } = await register()
  server.database.cut()
  const asked = [
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
  for (const { status, code } of await Promise.all(asked))
    expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(inbox.received).toEqual([])
  server.database.restore()
  await expect.poll(async () => (await tenant.get(path)).status, { timeout: 15_000 }).toBe(200)
  expect((await tenant.get(`${path}/${id}`)).json).toMatchObject({ description: null })
})
