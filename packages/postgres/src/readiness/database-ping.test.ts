import { testDatabase } from '@quipu/embedded-postgres/testing'
import { Unavailable } from '@quipu/core'
import pg from 'pg'
import { expect, test } from 'vitest'
import { NotMigrated } from './database-ping.ts'
import { migrate } from '../migration/migrate.ts'
import { postgresStores } from '../stores.ts'
import { migratedDatabase } from '../test/stores.fixture.ts'

async function sql(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('a database without our tables says that it has to be migrated, until it was', async () => {
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  const stores = postgresStores({ url })
  await expect(stores.ping()).rejects.toThrow(NotMigrated)
  await expect(stores.ping()).rejects.toThrow('lacks 0001-tenants.sql, 0002-ledger.sql')
  await migrate(url)
  await stores.ping()
  await stores.close()
  await drop()
})

test('one that an older release has migrated lacks the rest, and one of a newer release lacks nothing', async () => {
  const { url, drop } = await migratedDatabase()
  await sql(url, `insert into quipu.migration (name, checksum) values ('9999-later.sql', 'x')`)
  const [newer, older] = [postgresStores({ url }), postgresStores({ url })]
  await newer.ping()
  await sql(url, `delete from quipu.migration where name like '0011%'`)
  await expect(older.ping()).rejects.toThrow(
    'the database lacks 0011-faucet.sql: run the migration first',
  )
  await newer.ping() // What was there once is not looked for again.
  await Promise.all([newer.close(), older.close()])
  await drop()
})

test('a database that cannot be reached is no database that was not migrated', async () => {
  const stores = postgresStores({ url: 'postgres://127.0.0.1:1/nobody' })
  await expect(stores.ping()).rejects.toThrow(Unavailable)
  await stores.close()
})
