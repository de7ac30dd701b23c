import { testDatabase } from '@quipu/embedded-postgres/testing'
import { Unavailable } from '@quipu/core'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
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

test('ping throws NotMigrated for an empty database until it is migrated', async () => {
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  const stores = postgresStores({ url })
  await expect(stores.ping()).rejects.toThrow(NotMigrated)
  await expect(stores.ping()).rejects.toThrow('lacks 0001-tenants.sql, 0002-ledger.sql')
  await migrate(url)
  await stores.ping()
  await stores.close()
  await drop()
})

test('ping names the migrations that an older release lacks, and accepts those of a newer one', async () => {
  const { url, drop } = await migratedDatabase()
  await sql(url, `insert into quipu.migration (name, checksum) values ('9999-later.sql', 'x')`)
  const [newer, older] = [postgresStores({ url }), postgresStores({ url })]
  await newer.ping()
  await sql(url, `delete from quipu.migration where name like '0011%'`)
  await expect(older.ping()).rejects.toThrow('the database lacks 0011-faucet.sql: run the migration first')
  await newer.ping() // it has found all migrations before, and does not check again
  await Promise.all([newer.close(), older.close()])
  await drop()
})

test('ping and migrate say that a proxy which closes every connection has no primary behind it', async () => {
  const proxy = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `postgres://127.0.0.1:${(proxy.address() as AddressInfo).port}/nobody`
  const stores = postgresStores({ url })
  await expect(stores.ping()).rejects.toThrow('a proxy has no primary behind it')
  await expect(stores.payouts.find('ten_1', 'order-1')).rejects.toThrow('a proxy has no primary behind it')
  await expect(migrate(url, { attempts: 1 })).rejects.toThrow('a proxy has no primary behind it')
  await stores.close()
  proxy.close()
})

test('ping throws Unavailable, and not NotMigrated, for a database that does not answer', async () => {
  const stores = postgresStores({ url: 'postgres://127.0.0.1:1/nobody' })
  await expect(stores.ping()).rejects.toThrow(Unavailable)
  await stores.close()
})
