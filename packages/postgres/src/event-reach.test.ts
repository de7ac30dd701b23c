import { usdt } from '@quipu/core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig } from './connection.ts'
import { eventStatements } from './event-store.ts'
import { rowsReadBy } from './reach.fixture.ts'
import { type Bench, openBench } from './stores.fixture.ts'

// What is read to list a few events among very many of the same tenant's.

const crowd = 20_000
const few = 20

const happen = `
  with made as materialized (select uuidv7() as id from generate_series(1, $2::int))
  insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
  select $1, id, $3, 'subject', '{}', uuid_extract_timestamp(id), uuid_extract_timestamp(id)
  from made`

let bench: Bench
let client: pg.Client
beforeAll(async () => {
  bench = await openBench()
  client = new pg.Client(clientConfig({ url: bench.stores.url }))
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await bench.close()
})

const sql = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows

const noId = '00000000-0000-0000-0000-000000000000'
const everything = ['infinity', noId, '-infinity', 'infinity', 51]

test.each([
  ['payout.completed', 'payout.cancelled', 'event.list_completed', []],
  ['payout.cancelled', 'payout.completed', 'event.list_by_type', ['payout.cancelled']],
  ['payout.failed', 'payout.cancelled', 'event.list_by_type', ['payout.failed']],
])('few %s among many %s are listed alone', async (type, other, name, types) => {
  const tenantId = await bench.newWallet(usdt(0n))
  await sql(happen, [tenantId, few, type])
  await sql(happen, [tenantId, crowd, other])

  const statement = eventStatements.find((each) => each.name === name)
  let listed: readonly unknown[] = []
  const rows = await rowsReadBy(sql, '^event', async () => {
    listed = await sql(statement?.text ?? '', [tenantId, ...everything, ...types])
  })

  expect(listed).toHaveLength(few)
  expect(rows).toBeLessThan(3 * few)
})
