import { authenticate } from '@quipu/core'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate, postgresStores } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeQuotes, makeTenants, source } from './tenants-and-quotes.ts'

test('the tenants of a benchmark can pay: their keys work, and their quotes are open', async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_bench', migrate })
  const [db, stores] = [new pg.Client(url), postgresStores({ url })]
  try {
    await db.connect()
    const tenants = await makeTenants(db, 2)
    const quotes = await makeQuotes(db, tenants, 4)
    const now = () => new Date()
    const enter = authenticate({ ...stores, now, inBackground: () => undefined }, 'test')
    for (const { id, apiKey } of tenants)
      expect((await enter(apiKey))?.caller.tenant).toMatchObject({ id, status: 'active' })
    for (const { tenant, quoteId } of quotes)
      expect(await stores.quotes.find(tenant.id, quoteId)).toMatchObject({ quote: { source } })
  } finally {
    await Promise.all([db.end(), stores.close()])
    await drop()
  }
}, 60_000)
