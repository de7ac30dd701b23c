import { authenticate } from '@quipu/core'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate, postgresStores } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeEndpoints, makeEvents, removeEndpoints } from './endpoints.ts'
import { makeQuotes, makeTenants, source } from './tenants-and-quotes.ts'

async function openDatabase() {
  await using opened = new AsyncDisposableStack()
  const { url, drop } = await testDatabase({ templateName: 'quipu_bench', migrate })
  opened.defer(drop)
  const db = opened.adopt(new pg.Client(url), (client) => client.end())
  const stores = opened.adopt(postgresStores({ url }), (each) => each.close())
  await db.connect()
  const tenants = await makeTenants(db, 2)
  const parts = opened.move()
  return { db, stores, tenants, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

test('the tenants of a benchmark can pay: their keys work, and their quotes are open', async () => {
  await using database = await openDatabase()
  const { db, stores, tenants } = database
  const quotes = await makeQuotes(db, tenants, 4)
  const now = () => new Date()
  const enter = authenticate({ ...stores, now, inBackground: () => undefined }, 'live')
  for (const { id, apiKey } of tenants)
    expect((await enter(apiKey))?.caller.tenant).toMatchObject({ id, status: 'active' })
  for (const { tenant, quoteId } of quotes)
    expect(await stores.quotes.find(tenant.id, quoteId)).toMatchObject({ quote: { source } })
})

test('the events of a benchmark are due for its endpoints', async () => {
  await using database = await openDatabase()
  const { db, stores, tenants } = database
  await makeEndpoints(
    db,
    tenants.map((tenant) => ({ tenant, url: 'http://127.0.0.1:9/' })),
  )
  await makeEvents(db, tenants, 3)
  const limits = { limit: 50, leaseSeconds: 30, perEndpoint: 50, perTenant: 50, catchUpPerSecond: 50 }
  const due = await stores.deliveries.claimDue({ ...limits, deliveryClass: 'fast' })
  expect(due).toHaveLength(6)
  await removeEndpoints(db)
  expect((await stores.webhooks.list(tenants[0]?.id ?? '', { limit: 10 })).items).toEqual([])
})
