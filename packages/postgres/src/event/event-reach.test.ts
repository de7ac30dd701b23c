import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import type { Statement } from '../connection/database.ts'
import { scannedMax } from '../page.ts'
import { rowsReadBy, useStoreSession } from '../test/reach.fixture.ts'
import { eventsOf } from '../test/deliveries.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { listAll, listCompleted } from './event-store.ts'

// How many rows a page reads to find a few events among very many of the same tenant.

const crowd = 20_000
const few = 20

const harness = useStoreHarness()
const sql = useStoreSession(harness)

const noId = '00000000-0000-0000-0000-000000000000'
const pageSize = 51
const everything = ['infinity', noId, '-infinity', 'infinity', pageSize]

/** A page, and how many rows it read. */
async function listing({ text }: Statement, tenantId: string) {
  let listed: readonly Record<string, unknown>[] = []
  const rows = await rowsReadBy(sql, '^(payout_end|funding_entry)', async () => {
    listed = await sql(text, [tenantId, ...everything])
  })
  return { listed, rows }
}

test('few payout.completed among many payout.cancelled are all found, and each page reads at most its bound', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(eventsOf('payout.completed'), [tenantId, few])
  await sql(eventsOf('payout.cancelled'), [tenantId, crowd])

  const { rows } = await listing(listCompleted, tenantId)
  expect(rows).toBeLessThan(3 * scannedMax)
  const query = { type: 'payout.completed', limit: 50 } as const
  const ids = new Set<string>()
  let pages = 0
  for (let page = await harness.stores.events.list(tenantId, query); ; pages++) {
    for (const { id } of page.items) ids.add(id)
    if (page.next === null) break
    page = await harness.stores.events.list(tenantId, { ...query, after: page.next })
  }
  expect(ids.size).toBe(few)
  expect(pages).toBe(crowd / scannedMax)
})

test('a page of all types reads at most a page of each type', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(eventsOf('payout.completed'), [tenantId, crowd])
  await sql(eventsOf('deposit.pending'), [tenantId, crowd])

  const { listed, rows } = await listing(listAll, tenantId)

  expect(listed).toHaveLength(pageSize)
  expect(new Set(listed.map(({ type }) => type))).toEqual(new Set(['deposit.pending']))
  expect(rows).toBeLessThan(5 * pageSize)
})
