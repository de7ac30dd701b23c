import { usdt } from '@quipu/core'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openStoreHarness } from '../test/stores.fixture.ts'
import type { MigrationBounds } from './bounded-transaction.ts'
import { migrateFrom } from './migrate.ts'

const ours = new URL('../../migrations/', import.meta.url)

/** A database on which payouts are accepted continuously, and a migration that it lacks. */
async function startPaying(migration: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-migrations-'))
  await cp(ours, folder, { recursive: true })
  await writeFile(path.join(folder, '9999-later.sql'), migration)
  const harness = await openStoreHarness()
  const tenantIds = await Promise.all([1, 2, 3].map(() => harness.newWallet(usdt(1_000_000n))))

  let paid = 0
  let isPaying = true
  const payOnce = async (tenantId: string): Promise<void> => {
    const quote = await harness.newQuote(tenantId, { source: usdt(1n), lifeSeconds: 300 })
    await harness.newPayout(quote)
    paid++
  }
  const payers = Promise.all(
    tenantIds.map(async (tenantId) => {
      while (isPaying) await payOnce(tenantId)
    }),
  )
  payers.catch(() => {}) // `stop` reports the error
  onTestFinished(async () => {
    isPaying = false
    await payers.catch(() => {})
    await harness.close()
    await rm(folder, { recursive: true })
  })
  const source = pathToFileURL(`${folder}/`)
  return {
    ...harness,
    migrate: (bounds: MigrationBounds) => migrateFrom(source, harness.stores.url, bounds),
    /** Each tenant pays once, and waits for no other session than paying ones. */
    payMore: () => Promise.all(tenantIds.map(payOnce)),
    /** Ends the payments; all have committed, and every wallet reconciles. */
    async stop() {
      isPaying = false
      await payers
      for (const tenantId of tenantIds) await harness.expectBalanced(tenantId)
      expect(paid).toBeGreaterThan(0)
    },
  }
}

/** A session in an open transaction that has read the wallets, like a long report or a dump. */
async function startReader(url: string) {
  const reader = new pg.Client({ connectionString: url, application_name: 'month-end report' })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query('begin')
  const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid from quipu.wallet')
  return { pid: rows[0]?.pid, leave: () => reader.query('commit') }
}

const widen = 'create table quipu.later (); alter table quipu.wallet add column later int;'

const leftBehind = `
  select to_regclass('quipu.later') as table, (select count(*)::int from quipu.migration
    where name = '9999-later.sql') as records, (select count(*)::int from pg_attribute
    where attrelid = 'quipu.wallet'::regclass and attname = 'later') as columns`

test('payments continue between the attempts of a migration, which succeeds after the blocking reader ends', async () => {
  const { stores, sql, migrate, payMore, stop } = await startPaying(widen)
  const reader = await startReader(stores.url)
  const lines: string[] = []
  let pauses = 0
  const ran = await migrate({
    lockTimeoutMs: 200,
    attempts: 1_000,
    notify: (line) => lines.push(line),
    pause: async () => {
      await payMore()
      if (++pauses === 3) await reader.leave()
    },
  })
  expect(ran).toEqual(['9999-later.sql'])
  expect(pauses).toBeGreaterThanOrEqual(3)
  expect(lines[0]).toContain('migration 9999-later.sql got no lock within 200 ms')
  expect(lines[0]).toMatch(/Attempt 2 of 1000 follows in 3000 ms\.$/)
  expect(await sql(leftBehind)).toEqual([{ table: 'quipu.later', records: 1, columns: 1 }])
  await payMore()
  await stop()
})

test('a migration that gets no lock is rolled back, and names the blocking session', async () => {
  const { stores, sql, migrate, payMore, stop } = await startPaying(widen)
  const reader = await startReader(stores.url)
  let pauses = 0
  const pause = async () => {
    pauses++
    await payMore()
  }
  const migrated = migrate({ lockTimeoutMs: 200, attempts: 3, pause })
  await expect(migrated).rejects.toThrow(
    new RegExp(
      `^migration 9999-later.sql got no lock within 200 ms and was rolled back; ` +
        `blocked by: .*session ${reader.pid} \\(role \\w+, month-end report, \\w+, since 2.*\\) with quipu.wallet.*` +
        `\\. Gave up after 3 attempts\\. Let these sessions end or end them, then migrate again$`,
    ),
  )
  expect(pauses).toBe(2)
  expect(await sql(leftBehind)).toEqual([{ table: null, records: 0, columns: 0 }])
  await payMore()
  await reader.leave()
  expect(await migrate({ attempts: 1_000, pause: payMore })).toEqual(['9999-later.sql'])
  await stop()
})

test('a migration that holds its locks too long is rolled back, and payments continue', async () => {
  const holding = 'lock table quipu.wallet; select pg_sleep(3600);'
  const { sql, migrate, payMore, stop } = await startPaying(holding)
  const bounds = { transactionTimeoutMs: 500, attempts: 1_000, pause: payMore }
  await expect(migrate(bounds)).rejects.toThrow(
    'migration 9999-later.sql took longer than 500 ms, during which its locks stop payments, and was',
  )
  expect(await sql(leftBehind)).toEqual([{ table: null, records: 0, columns: 0 }])
  await payMore()
  await stop()
})
