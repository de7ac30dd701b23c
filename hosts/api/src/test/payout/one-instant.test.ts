import { adjustWallet } from '@quipu/contracts'
import { allowTestClock, postgresStores } from '@quipu/postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness/http-client.fixture.ts'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import { fundsOf, type TestTenant } from '../harness/tenant.fixture.ts'

let server: PostgresApi
beforeAll(async () => {
  server = await postgresApi()
})
afterAll(() => server.stop())

/** Pays `count` orders concurrently. @returns the answers */
async function payAtOnce(tenant: TestTenant, count: number): Promise<Json[]> {
  const orders = await Promise.all(Array.from({ length: count }, () => tenant.order()))
  const replies = await Promise.all(orders.map((order) => tenant.post('/v1/payouts', order)))
  return replies.map(({ json }) => json)
}

/** Expects the same instant in answer, payout, wallet transaction and event. */
async function expectOneInstant(tenant: TestTenant, answers: readonly Json[]): Promise<void> {
  const rows: Json[] = (await tenant.get('/v1/wallets/transactions?type=payout&limit=100')).json.data
  const events: Json[] = (await tenant.get('/v1/events?type=payout.completed&limit=100')).json.data
  expect(rows).toHaveLength(answers.length)
  for (const answer of answers) {
    const { id, status, completed_at } = answer
    expect(status).toBe('completed')
    expect((await tenant.get(`/v1/payouts/${id}`)).json).toEqual(answer)
    expect(rows.find(({ payout_id }) => payout_id === id)?.created_at).toBe(completed_at)
    const found = await tenant.get(`/v1/wallets/transactions?from=${completed_at}&to=${completed_at}&limit=100`)
    expect(found.json.data.map((row: Json) => row.payout_id)).toContain(id)
    const event = events.find(({ data }) => data.id === id)
    expect(event).toMatchObject({ occurred_at: completed_at, data: answer })
    expect(event?.recorded_at >= event?.occurred_at).toBe(true)
    const idTime = parseInt(event?.id.replace('-', '').slice(0, 12), 16)
    expect(new Date(idTime).toISOString()).toBe(event?.recorded_at)
    expect((await tenant.get(`/v1/events/${event?.id}`)).json).toEqual(event)
  }
  const instants = rows.map(({ created_at }) => created_at)
  expect(instants).toEqual(instants.toSorted().toReversed())
}

test('completed_at equals the wallet transaction’s created_at and the event’s occurred_at, also under load', async () => {
  const tenant = await server.tenant()
  await expectOneInstant(tenant, await payAtOnce(tenant, 40))
})

test('also after a movement whose instant is ahead of the process’s clock', async () => {
  const tenant = await server.tenant(0n)
  const ahead = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000)
  await allowTestClock(server.database.ownerUrl)
  const stores = postgresStores({ url: server.database.url, clockOverride: () => ahead })
  await adjustWallet(stores, fundsOf(tenant.id, 1_000_000_000n))
  await stores.close()
  const answers = await payAtOnce(tenant, 3)
  for (const { completed_at } of answers) expect(completed_at).toBe(ahead.toISOString())
  await expectOneInstant(tenant, answers)
})
