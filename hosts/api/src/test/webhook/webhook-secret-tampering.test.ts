import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../harness/http-client.fixture.ts'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import { signatureFault, webhookEnv, type WebhookSetup, webhookSetup } from '../harness/webhook-setup.fixture.ts'

// An attacker with write access to the database changes the stored signing secrets.

let server: PostgresApi
let webhooks: WebhookSetup
let database: pg.Client

beforeAll(async () => {
  server = await postgresApi(webhookEnv)
  database = new pg.Client(server.database.ownerUrl)
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await server.stop()
})
beforeEach(async () => {
  webhooks = await webhookSetup(server)
})
afterEach(() => webhooks.close())

const path = '/v1/webhooks'
const rotate = async (id: string, grace_seconds: number): Promise<Json> =>
  (await webhooks.tenant.post(`${path}/${id}/rotate-secret`, { grace_seconds })).json
const sendTest = async (id: string): Promise<Json> => (await webhooks.tenant.post(`${path}/${id}/test`, {})).json

async function storedSecrets(id: string): Promise<Json> {
  const text = 'select secrets from quipu.webhook_endpoint where id = $1'
  return (await database.query(text, [id])).rows[0].secrets
}
const store = (id: string, secrets: Json): Promise<unknown> =>
  database.query('update quipu.webhook_endpoint set secrets = $2 where id = $1', [id, JSON.stringify(secrets)])

const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)

/** The fault of the newest request to the inbox. */
const faultOf = (secret: string) => signatureFault(secret, webhooks.inbox.received.at(-1))

test('a rotated secret with a changed expiry signs nothing, and the next rotation drops it', async () => {
  const { tenant } = webhooks
  const { id, secret: old } = await webhooks.register()
  await rotate(id, 60)
  const [newest, rotated] = await storedSecrets(id)
  await store(id, [newest, { ...rotated, expires_at: inHours(24) }])
  await tenant.post('/v1/payouts', await tenant.order())
  await webhooks.deliver(() => inHours(1))
  expect(webhooks.inbox.received).toEqual([])
  const [{ attempts }] = (await tenant.get(`${path}/${id}/deliveries`)).json.data
  expect(attempts).toMatchObject([{ error: 'SECRET_UNREADABLE', status_code: null }])

  const { secret } = await rotate(id, 60)
  expect(await sendTest(id)).toMatchObject({ delivered: true })
  expect([faultOf(old), faultOf(secret)]).toEqual(['mismatch', null])
})

test('a rotated secret that is restored to its state before the rotation signs nothing', async () => {
  const { id, secret: old } = await webhooks.register()
  const before = await storedSecrets(id)
  await rotate(id, 0)
  const [newest] = await storedSecrets(id)
  for (const secrets of [
    [newest, ...before],
    [...before, newest],
    [newest, { ...before[0], expires_at: inHours(24) }],
  ]) {
    await store(id, secrets)
    expect(await sendTest(id)).toMatchObject({ delivered: false, error: 'SECRET_UNREADABLE' })
  }
  await store(id, [...before, newest])
  const { secret } = await rotate(id, 3_600)
  expect(await sendTest(id)).toMatchObject({ delivered: true })
  expect([faultOf(old), faultOf(secret)]).toEqual(['mismatch', null])
})

test('a secret that is copied to another endpoint signs nothing there', async () => {
  const { id } = await webhooks.register()
  const otherEndpoint = await webhooks.register(await server.tenant(0n))
  await store(id, await storedSecrets(otherEndpoint.id))
  expect(await sendTest(id)).toMatchObject({ delivered: false, error: 'SECRET_UNREADABLE' })
  expect(webhooks.inbox.received).toEqual([])
})
