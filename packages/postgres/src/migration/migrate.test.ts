import { openProxy } from '@quipu/embedded-postgres'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migratedDatabase } from '../test/stores.fixture.ts'
import { ensurePartitions, migrate } from './migrate.ts'

let url: string
async function open(newDatabase = migratedDatabase): Promise<void> {
  const database = await newDatabase()
  onTestFinished(database.drop)
  url = database.url
}
const empty = () => testDatabase({ templateName: 'empty', migrate: async () => {} })

async function sql(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('concurrent and repeated calls run each migration once', async () => {
  await open(empty)
  const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
  const rows = await sql('select * from quipu.migration order by name')
  const numbers = rows.map((row) => String(row['name']).slice(0, 4))
  expect(numbers).toEqual(Array.from(new Set(numbers)).toSorted())
  expect(ran.flat()).toEqual(rows.map(({ name }) => name))
  expect(await migrate(url)).toEqual([])
  expect(await sql('select * from quipu.migration order by name')).toEqual(rows)
})

test('a migration that changed after it was run is refused by name', async () => {
  await open()
  await sql(`update quipu.migration set checksum = 'another' where name like '0003%'`)
  await expect(migrate(url)).rejects.toThrow('migration 0003-quotes.sql has changed since it was run')
})

test('migrations of a newer release are accepted', async () => {
  await open()
  await sql(`insert into quipu.migration (name, checksum) values ('9999-later.sql', 'x')`)
  await expect(migrate(url)).resolves.toEqual([])
})

test('a server that is set read-only is refused', async () => {
  await open(empty)
  await sql(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
  await expect(migrate(url)).rejects.toThrow('the server is set read-only: run the migration where writes are accepted')
  expect(await sql(`select to_regnamespace('quipu') as schema`)).toEqual([{ schema: null }])
})

/** This month and the next three, in the format of partition names, by the database's clock. */
async function months(): Promise<string[]> {
  const rows = await sql(
    `select to_char(date_trunc('month', clock_timestamp() at time zone 'UTC')
       + make_interval(months => ahead), 'YYYY_MM') as month from generate_series(0, 3) ahead`,
  )
  return rows.map(({ month }) => String(month))
}

/** The partitioned tables. */
async function partitioned(): Promise<string[]> {
  const rows = await sql(
    `select relname from pg_class
     where relnamespace = 'quipu'::regnamespace and relkind = 'p' order by relname`,
  )
  return rows.map(({ relname }) => String(relname))
}

async function partitions(): Promise<string[]> {
  const rows = await sql(
    `select relname from pg_class
     where relnamespace = 'quipu'::regnamespace and relkind = 'r' and relispartition
     order by relname`,
  )
  return rows.map(({ relname }) => String(relname))
}

test('there are partitions for this month or day and the next three, and a default partition', async () => {
  await open(empty)
  await migrate(url)
  const expectedMonths = await months()
  const expectedDays = (
    await sql(
      `select to_char(now() at time zone 'UTC' + n * interval '1 day', 'YYYYMMDD') as day from generate_series(0, 3) n`,
    )
  ).map(({ day }) => String(day))
  const tables = await partitioned()
  expect(tables).toContain('delivery')
  const endsOf = (table: string) => (table === 'request_log' ? expectedDays : expectedMonths)
  const names = tables.flatMap((table) => [...endsOf(table), 'default'].map((end) => `${table}_${end}`))
  expect(await partitions()).toEqual(names.toSorted())
  for (const table of tables)
    await sql(`drop table quipu.${table}_${endsOf(table)[1]}, quipu.${table}_${endsOf(table)[3]}`)
  await Promise.all([1, 2].map(() => ensurePartitions(url)))
  expect(await partitions()).toEqual(names.toSorted())
})

test('rows that precede their month’s partition stay in the default partition, and are found', async () => {
  await open()
  const [, next, , last] = await months()
  const day = `${last?.replace('_', '-')}-05T00:00:00Z`
  const ms = Date.parse(day).toString(16).padStart(12, '0')
  const id = `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
  await sql(`drop table quipu.delivery_${next}, quipu.delivery_${last}`)
  const row = {
    endpoint_id: 'e',
    event_id: id,
    tenant_id: 't',
    event_type: 'x',
    recorded_at: day,
    status: 'delivered',
    ended_at: day,
    fencing_token: 1,
    has_paused: false,
    attempts: [],
  }
  await sql(
    `insert into quipu.delivery
     select (jsonb_populate_record(null::quipu.delivery, '${JSON.stringify(row)}')).*`,
  )
  await ensurePartitions(url)
  expect(await sql('select event_id from quipu.delivery')).toEqual([{ event_id: id }])
  const made = await sql(`select to_regclass('quipu.delivery_${last}') as last,
    to_regclass('quipu.delivery_${next}') is not null as next`)
  expect(made).toEqual([{ last: null, next: true }])
})

test('the creation of partitions gives up while a long read blocks it, so that no session waits behind it', async () => {
  await open()
  const [, , , last] = await months()
  await sql(`drop table quipu.delivery_${last}`)
  const report = new pg.Client(url)
  await report.connect()
  await report.query('begin')
  await report.query('select count(*) from quipu.delivery')
  await expect(ensurePartitions(url)).rejects.toThrow('lock timeout')
  await report.end()
  await ensurePartitions(url)
  expect(await partitions()).toContain(`delivery_${last}`)
})

test('a connection that is lost during the creation of partitions rejects the call without an uncaught error', async () => {
  await open()
  const proxy = await openProxy(url)
  const cut = proxy.cutNext('ensure_partitions', 'sent')
  await expect(ensurePartitions(proxy.url)).rejects.toThrow('terminated')
  await cut // an unhandled error would end the whole run
  await proxy.shut()
})
