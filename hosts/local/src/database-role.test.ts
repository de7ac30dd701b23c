import { testDatabase } from '@quipu/embedded-postgres/testing'
import { ensurePartitions, migrate } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readDocument } from './documents.fixture.ts'
import { until } from './process.fixture.ts'
import type { Payout } from './tenant.fixture.ts'
import { openWorld } from './world.fixture.ts'

const grants = readDocument('docs/operations.md').blocks.find(({ language }) => language === 'sql')

/** The URL of the same database, for the role that the documentation makes. */
function asApp(url: string): string {
  const changed = new URL(url)
  changed.username = 'quipu_app'
  changed.password = 'choose one'
  return changed.href
}

async function query<Row = unknown>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a payout is made, and ended by a worker, with the rights that operations.md gives', async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_local', migrate })
  await query(url, grants?.text ?? '')
  await query(url, grants?.text ?? '') // As often as one likes.
  {
    await using world = await openWorld(asApp(url))
    const api = await world.openApi()
    const paid = await api.pay(await world.order(api))
    expect(paid.json).toMatchObject({ status: 'completed' })
    const { json: late } = await api.pay(await world.order(api, 'late'))
    expect(late).toMatchObject({ status: 'processing' })
    const worker = await world.startWorker()
    await until('the late payout has ended', async () => {
      const { json } = await api.get(`/v1/payouts/${(late as Payout).id}`)
      return (json as Payout).status === 'completed'
    })
    expect(worker.output()).not.toContain('"level":"error"')
  }
  await drop()
})

test('with these rights months are partitioned, later tables used, and none changed', async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_local', migrate })
  await query(url, grants?.text ?? '')
  const partitions = `select relname from pg_class where relispartition and relkind = 'r'
    and relnamespace = 'quipu'::regnamespace order by relname`
  const before = await query(url, partitions)
  const [last] = await query<{ name: string }>(
    url,
    `select max(relname) as name from (${partitions}) _ where relname ~ '^event_2'`,
  )
  await query(url, `drop table quipu.${last?.name}`)
  await ensurePartitions(asApp(url))
  expect(await query(url, partitions)).toEqual(before)
  const hostile = `select quipu.ensure_partitions(now() + make_interval(years => n))
    from generate_series(1, 50) n`
  await expect(query(asApp(url), hostile)).rejects.toThrow('does not exist')
  expect(await query(url, partitions)).toEqual(before)
  await query(url, 'create table quipu.later (id bigint generated always as identity, n int)')
  await query(asApp(url), 'insert into quipu.later (n) values (1)')
  for (const sql of [
    'alter table quipu.transfer disable trigger all',
    'drop table quipu.audit_log',
    'create table quipu.mine ()',
    'truncate quipu.event',
    'delete from quipu.migration',
  ])
    await expect(query(asApp(url), sql)).rejects.toThrow(/must be owner|permission denied/)
  await drop()
})
