import { tenantEventTypes, usdt } from '@quipu/core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import { eventsOf } from '../webhook/deliveries.fixture.ts'
import { eventStatements } from './event-store.ts'
import { indexPagesReadBy, rowsReadBy } from '../test/reach.fixture.ts'
import { type Bench, openBench, type Sql, sqlOf } from '../test/stores.fixture.ts'

// What is read to find a few events among very many of the same tenant's.

const crowd = 20_000
const few = 20

let bench: Bench
let client: pg.Client
let sql: Sql
beforeAll(async () => {
  bench = await openBench()
  client = new pg.Client(clientConfig({ url: bench.stores.url }))
  await client.connect()
  sql = sqlOf(client)
})
afterAll(async () => {
  await client.end()
  await bench.close()
})

const noId = '00000000-0000-0000-0000-000000000000'
const pageSize = 51
const everything = ['infinity', noId, '-infinity', 'infinity', pageSize]
const list = eventStatements.find(({ name }) => name === 'event.list')

/** A page of these types, and how many rows it took to find it. */
async function listing(tenantId: string, types: readonly string[]) {
  let listed: readonly Record<string, unknown>[] = []
  const rows = await rowsReadBy(sql, '^event', async () => {
    listed = await sql(list?.text ?? '', [tenantId, ...everything, types])
  })
  return { listed, rows }
}

test.each([
  ['payout.completed', 'payout.cancelled'],
  ['payout.cancelled', 'payout.completed'],
  ['payout.failed', 'payout.cancelled'],
] as const)('few %s among many %s are listed alone', async (type, other) => {
  const tenantId = await bench.newWallet(usdt(0n))
  await sql(eventsOf(type), [tenantId, few])
  await sql(eventsOf(other), [tenantId, crowd])

  const { listed, rows } = await listing(tenantId, [type])

  expect(listed).toHaveLength(few)
  expect(rows).toBeLessThan(3 * few)
})

test('a page of all types reads a page of each, whatever there is', async () => {
  const tenantId = await bench.newWallet(usdt(0n))
  await sql(eventsOf('payout.completed'), [tenantId, crowd])
  await sql(eventsOf('deposit.credited'), [tenantId, crowd])

  const { listed, rows } = await listing(tenantId, tenantEventTypes)

  expect(listed).toHaveLength(pageSize)
  expect(new Set(listed.map(({ type }) => type))).toEqual(new Set(['deposit.credited']))
  expect(rows).toBeLessThan(5 * pageSize)
})

test('a deposit that is ended again, because the answer was lost, is known by its own event', async () => {
  const tenantId = await bench.newWallet(usdt(0n))
  await sql(eventsOf('deposit.credited'), [tenantId, crowd])
  const [event] = await sql(
    `select id, recorded_at as at, subject_id as deposit from quipu.event where tenant_id = $1
     order by recorded_at desc, id desc limit 1`,
    [tenantId],
  )

  let verdict: readonly unknown[] = []
  const pages = await indexPagesReadBy(sql, '^event', async () => {
    verdict = await sql(
      `select verdict from quipu.end_deposit($1, $2, 1, true, 'credited', 1, $4, null, null, null,
         $3, 'deposit.credited', $4, $4, '{}', null, null, null, null)`,
      [tenantId, event?.['deposit'], event?.['id'], event?.['at']],
    )
  })

  expect(verdict).toEqual([{ verdict: 'known' }])
  expect(pages).toBeLessThan(30)
})
