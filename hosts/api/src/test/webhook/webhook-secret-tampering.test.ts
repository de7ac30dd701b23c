import { type SignatureFault, verifyWebhook } from '@quipu/core'
import { aesSecretBox, systemRandom } from '@quipu/runtime'
import { httpWebhookSender, type HttpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../harness/http-client.fixture.ts'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import { receiver, type Receiver } from '../harness/receiver.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { sendDue } from '../harness/webhooks.fixture.ts'

// Stored signing secrets that somebody with write access to the database changes.

const key = '0f'.repeat(32)
let server: PostgresApi
let tenant: TestTenant
let inbox: Receiver
let sender: HttpWebhookSender
let database: pg.Client

beforeAll(async () => {
  server = await postgresApi({ WEBHOOK_SECRET_KEY: key, WEBHOOK_ALLOW_PRIVATE: 'true' })
  database = new pg.Client(server.database.url)
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await server.stop()
})
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
const rotate = async (id: string, grace_seconds: number): Promise<Json> =>
  (await tenant.post(`${path}/${id}/rotate-secret`, { grace_seconds })).json
const sendTest = async (id: string): Promise<Json> =>
  (await tenant.post(`${path}/${id}/test`, {})).json

async function storedSecrets(id: string): Promise<Json> {
  const text = 'select secrets from quipu.webhook_endpoint where id = $1'
  return (await database.query(text, [id])).rows[0].secrets
}
const store = (id: string, secrets: Json): Promise<unknown> =>
  database.query('update quipu.webhook_endpoint set secrets = $2 where id = $1', [
    id,
    JSON.stringify(secrets),
  ])

/** An instant so many hours from now. */
const hoursOn = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)

/** Delivers a payout's event with a worker whose clock is an hour ahead. */
async function deliverInAnHour(): Promise<void> {
  await tenant.post('/v1/payouts', await tenant.order())
  const secretBox = aesSecretBox(Uint8Array.from(Buffer.from(key, 'hex')), systemRandom)
  const ports = { sender, secretBox, urlGuard: webhookUrlGuard() }
  await sendDue(server.stores, ports, () => hoursOn(1))()
}

/** Why the newest request is not accepted by a receiver that has this secret. */
function faultOf(secret: string): SignatureFault | null {
  const received = inbox.received.at(-1)
  if (!received) throw new Error('nothing was received')
  const { headers, body } = received
  return verifyWebhook([secret], String(headers['x-service-signature']), body, new Date())
}

test('a rotated secret whose expiry was moved in the database signs nothing, and the next rotation drops it', async () => {
  const { id, secret: old } = await register()
  await rotate(id, 60)
  const [newest, rotated] = await storedSecrets(id)
  await store(id, [newest, { ...rotated, expires_at: hoursOn(24) }])
  await deliverInAnHour()
  expect(inbox.received).toEqual([])
  const [{ attempts }] = (await tenant.get(`${path}/${id}/deliveries`)).json.data
  expect(attempts).toMatchObject([{ error: 'SECRET_UNREADABLE', status_code: null }])

  const { secret } = await rotate(id, 60)
  expect(await sendTest(id)).toMatchObject({ delivered: true })
  expect([faultOf(old), faultOf(secret)]).toEqual(['mismatch', null])
})

test('a rotated secret that was put back as it was before the rotation signs nothing', async () => {
  const { id, secret: old } = await register()
  const before = await storedSecrets(id)
  await rotate(id, 0)
  const [newest] = await storedSecrets(id)
  for (const secrets of [
    [newest, ...before],
    [...before, newest],
    [newest, { ...before[0], expires_at: hoursOn(24) }],
  ]) {
    await store(id, secrets)
    expect(await sendTest(id)).toMatchObject({ delivered: false, error: 'SECRET_UNREADABLE' })
  }
  await store(id, [...before, newest])
  const { secret } = await rotate(id, 3_600)
  expect(await sendTest(id)).toMatchObject({ delivered: true })
  expect([faultOf(old), faultOf(secret)]).toEqual(['mismatch', null])
})

test('a secret that was moved to another endpoint signs nothing there', async () => {
  const { id } = await register()
  const stranger = await register(await server.tenant(0n))
  await store(id, await storedSecrets(stranger.id))
  expect(await sendTest(id)).toMatchObject({ delivered: false, error: 'SECRET_UNREADABLE' })
  expect(inbox.received).toEqual([])
})

test('a secret in its grace signs beside the new one, and until its expiry only', async () => {
  const { id, secret: first } = await register()
  const { secret: second } = await rotate(id, 3_600)
  const { secret: third } = await rotate(id, 7_200)
  expect(await sendTest(id)).toMatchObject({ delivered: true })
  expect([first, second, third].map(faultOf)).toEqual([null, null, null])
})
