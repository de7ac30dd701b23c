import { usdt } from '@quipu/core'
import { builders } from '@quipu/contracts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStores } from '../stores.ts'
import { asProcess, migratedDatabase, type Sql, sqlOf } from './stores.fixture.ts'

/** Stores over a database whose sessions have this time zone, with a clock that the test sets. */
async function storesIn(timeZone: string, clock: { now: Date }) {
  const { url, drop } = await migratedDatabase()
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`alter database ${pg.escapeIdentifier(client.database ?? '')}
    set timezone = ${pg.escapeLiteral(timeZone)}`)
  await client.end()
  const stores = postgresStores({ url: asProcess(url), clockOverride: () => clock.now })
  onTestFinished(async () => {
    await stores.close()
    await drop()
  })
  return stores
}

/** Their midnights are 10:00 and 12:00 UTC. */
const zones = ['Pacific/Kiritimati', 'Etc/GMT+12']

test.each(zones)('daily limits begin at midnight UTC, in sessions of %s too', async (timeZone) => {
  const clock = { now: new Date('2026-04-01T00:00:00Z') }
  const stores = await storesIn(timeZone, clock)
  const { newWallet, newQuote, acceptCommit } = builders(stores)
  const tenantId = await newWallet(usdt(100n), { dailyLimits: { amount: null, count: 1 } })
  const accept = async () => stores.payouts.commit(acceptCommit(await newQuote(tenantId, { source: usdt(1n) })))

  expect(await accept()).toBe('committed')
  for (const time of ['09:59:59', '10:00:00', '12:00:00', '23:59:59']) {
    clock.now = new Date(`2026-04-01T${time}Z`)
    expect(await accept(), time).toBe('daily_limit_exceeded')
  }
  clock.now = new Date('2026-04-02T00:00:00Z')
  expect((await stores.wallets.find(tenantId))?.usedToday.count).toBe(0)
  expect(await accept()).toBe('committed')
})

/** A superuser's session of a migrated database. */
async function session(): Promise<Sql> {
  const { url, drop } = await migratedDatabase()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await drop()
  })
  return sqlOf(client)
}

test.each(zones)('texts of instants are in UTC, in sessions of %s too', async (timeZone) => {
  const sql = await session()
  await sql(`set timezone = ${pg.escapeLiteral(timeZone)}`)
  const instant = '2026-04-01T09:30:00.000Z'
  expect(await sql('select quipu.iso_text($1) as text', [instant])).toEqual([{ text: instant }])
})

test.each(zones)('months begin in UTC, in sessions of %s too', async (timeZone) => {
  const sql = await session()
  const bounds = async () => {
    await sql(`set timezone = 'UTC'`)
    return sql(
      `select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class
       where relispartition and relkind = 'r' order by relname`,
    )
  }
  const expected = await bounds()
  for (const { relname } of expected)
    if (/_\d{4}_\d\d$/.test(String(relname))) await sql(`drop table quipu.${String(relname)}`)
  await sql(`set timezone = ${pg.escapeLiteral(timeZone)}`)
  await sql('select quipu.ensure_partitions()')
  expect(await bounds()).toEqual(expected)
})
