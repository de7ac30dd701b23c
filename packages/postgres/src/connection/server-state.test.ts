import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { type PostgresStores, postgresStores } from '../stores.ts'
import { migratedDatabase } from '../test/stores.fixture.ts'

let owner: pg.Client
let ownerUrl = ''
let stores: PostgresStores

beforeAll(async () => {
  const { url, drop } = await migratedDatabase()
  ownerUrl = url
  owner = new pg.Client(url)
  await owner.connect()
  await owner.query('create table grown (text text)')
  await owner.query(`create role watcher login`)
  const processUrl = new URL(url)
  processUrl.username = 'watcher'
  stores = postgresStores({ url: processUrl.href })
  return async () => {
    await stores.close()
    await owner.end()
    await drop()
  }
})

test('a role without rights sees size, log and age of transactions', async () => {
  const before = await stores.serverState()
  await owner.query(`insert into grown select repeat(md5(n::text), 20) from generate_series(1, 5000) n`)
  const after = await stores.serverState()
  expect(after.databaseBytes - before.databaseBytes).toBeGreaterThan(2_000_000)
  expect(after.walBytes - before.walBytes).toBeGreaterThan(3_000_000)
  expect(after.transactionIdAge).toBeGreaterThan(0)
  expect(after.archiveFailingSeconds).toBe(0)
})

test('another role’s open transaction holds back the oldest snapshot', async () => {
  await owner.query('begin isolation level repeatable read')
  await owner.query('select 1 from grown limit 1')
  const other = new pg.Client(ownerUrl)
  await other.connect()
  for (let n = 0; n < 20; n++) await other.query('select pg_current_xact_id()')
  await other.end()
  // Tests of other databases may hold an older snapshot.
  expect((await stores.serverState()).snapshotAge).toBeGreaterThanOrEqual(20)
  await owner.query('rollback')
})

test('a slot that nobody reads keeps the log', async () => {
  await owner.query(`select pg_create_physical_replication_slot('unread', true)`)
  await owner.query(`insert into grown select repeat(md5(n::text), 20) from generate_series(1, 5000) n`)
  expect((await stores.serverState()).walRetainedBytes).toBeGreaterThan(3_000_000)
  await owner.query(`select pg_drop_replication_slot('unread')`)
})
