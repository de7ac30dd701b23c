import { testServerUrl } from '@quipu/embedded-postgres/testing'
import { createDatabase, databaseUrl, dropDatabase, openProxy } from '@quipu/embedded-postgres'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensurePartitions, migrate } from './migrate.ts'

const name = `migrate_${randomBytes(6).toString('hex')}`
let server: { readonly url: string }
let url: string
beforeAll(async () => {
  server = { url: await testServerUrl() }
  url = databaseUrl(server.url, name)
})
beforeEach(async () => {
  await dropDatabase(server, name)
  await createDatabase(server, name)
})
afterAll(() => dropDatabase(server, name))

async function sql(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('many migrate an empty database at once, and again, and each migration runs once', async () => {
  const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
  const rows = await sql('select * from quipu.migration order by name')
  expect(rows.map((row) => String(row['name']).slice(0, 4))).toEqual(
    rows.map((_, i) => String(i + 1).padStart(4, '0')),
  )
  expect(ran.flat()).toEqual(rows.map(({ name }) => name))
  expect(await migrate(url)).toEqual([])
  expect(await sql('select * from quipu.migration order by name')).toEqual(rows)
})

test('a migration that was changed after it had been run is refused by name', async () => {
  await migrate(url)
  await sql(`update quipu.migration set checksum = 'another' where name like '0003%'`)
  await expect(migrate(url)).rejects.toThrow('migration 0003-quotes.sql was changed')
})

test('migrations that only a newer release knows are left alone', async () => {
  await migrate(url)
  await sql(`insert into quipu.migration (name, checksum) values ('9999-later.sql', 'x')`)
  await expect(migrate(url)).resolves.toEqual([])
})

test('there are partitions for this month and the next three, and a default for the rest', async () => {
  await migrate(url)
  await Promise.all([1, 2].map(() => ensurePartitions(url, new Date('2031-11-30T23:59:59.999Z'))))
  const rows = await sql(
    `select relname from pg_class where relname ~ '^(delivery|event|transfer)_(203|default)'
     and relkind = 'r' order by relname`,
  )
  const months = ['2031_11', '2031_12', '2032_01', '2032_02', 'default']
  expect(rows.map(({ relname }) => relname)).toEqual(
    ['delivery', 'event', 'transfer'].flatMap((table) =>
      months.map((month) => `${table}_${month}`),
    ),
  )
})

test('rows that came before their month’s partition stay where they are, and are found', async () => {
  await migrate(url)
  const columns = 'tenant_id, id, type, subject_id, body, occurred_at, recorded_at'
  await sql(
    `insert into quipu.event (${columns})
     values ('t', '01c6ff1c-5800-7000-8000-000000000000', 'x', 's', '', '2031-12-05Z', '2031-12-05Z')`,
  )
  await ensurePartitions(url, new Date('2031-11-15T00:00:00.000Z'))
  expect(await sql('select subject_id from quipu.event')).toEqual([{ subject_id: 's' }])
  const made = await sql(`select to_regclass('quipu.event_2031_12') as december,
    to_regclass('quipu.event_2032_01')::text as january`)
  expect(made).toEqual([{ december: null, january: 'quipu.event_2032_01' }])
})

test('partitions that must wait for a long read are given up, so that nobody waits behind them', async () => {
  await migrate(url)
  const later = new Date('2031-11-15T00:00:00.000Z')
  const report = new pg.Client(url)
  await report.connect()
  await report.query('begin')
  await report.query('select count(*) from quipu.event')
  await expect(ensurePartitions(url, later)).rejects.toThrow('lock timeout')
  await report.end()
  await ensurePartitions(url, later)
})

test('a connection that is lost while partitions are made fails them, and not the process', async () => {
  await migrate(url)
  const proxy = await openProxy(url)
  const cut = proxy.cutNext('ensure_partitions', 'sent')
  await expect(ensurePartitions(proxy.url, new Date())).rejects.toThrow('terminated')
  await cut // An error that nobody hears ends the whole run.
  await proxy.shut()
})
