import { usdt, type WalletTransaction } from '@quipu/core'
import type { WalletTransactionQuery } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { scannedMax } from '../page.ts'
import { rowsReadBy, useStoreSession } from '../test/reach.fixture.ts'
import { eventsOf } from '../test/deliveries.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { readTransactions } from './wallet-transactions.ts'

// How many rows a page reads to find a few transactions among very many of the same tenant.

const crowd = 10_000
const few = 20

const harness = useStoreHarness()
const sql = useStoreSession(harness)

const all = ['capture', 'deposit', 'adjustment_in', 'adjustment_out']

/** How many rows of the log a page reads, and how many it shows. */
async function reading(tenantId: string, types: readonly string[]) {
  const values = [tenantId, 'infinity', 0, '-infinity', 'infinity', types, few + 1]
  let found = 0
  const rows = await rowsReadBy(sql, '^(payout_end|funding_entry)', async () => {
    found = (await sql(readTransactions.text, values)).length
  })
  return { found, rows }
}

/** All transactions, page by page. */
async function listed(tenantId: string, query: Omit<WalletTransactionQuery, 'limit'> = {}) {
  const rows: WalletTransaction[] = []
  let pages = 1
  let page = await harness.stores.wallets.transactions(tenantId, { ...query, limit: 50 })
  for (; ; pages++) {
    rows.push(...page.items)
    if (page.next === null) return { rows, pages }
    page = await harness.stores.wallets.transactions(tenantId, { ...query, limit: 50, after: page.next })
  }
}

test('a page of all types reads at most a page of each type', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  for (const entries of [eventsOf('payout.completed'), eventsOf('deposit.credited'), eventsOf('adjustment_in')])
    await sql(entries, [tenantId, 1_000])
  const { found, rows } = await reading(tenantId, all)
  expect(found).toBe(few + 1)
  expect(rows).toBeLessThan(3 * 3 * few)
})

test('among many payouts that were not completed each transaction is found once, and each page reads at most its bound', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  for (const entries of [eventsOf('payout.completed'), eventsOf('adjustment_in')]) await sql(entries, [tenantId, few])
  await sql(eventsOf('payout.cancelled'), [tenantId, crowd])
  await sql(eventsOf('deposit.credited'), [tenantId, few])
  expect((await reading(tenantId, all)).rows).toBeLessThan(3 * scannedMax)

  const { rows, pages } = await listed(tenantId)
  const seqs = rows.map(({ seq }) => Number(seq))
  expect(seqs).toEqual([
    ...Array.from({ length: few }, (_, n) => crowd + 3 * few - n),
    ...Array.from({ length: 2 * few }, (_, n) => 2 * few - n),
  ])
  expect(pages).toBe(crowd / scannedMax + 1)
  expect((await listed(tenantId, { type: 'payout' })).rows).toHaveLength(few)
  expect((await listed(tenantId, { direction: 'in' })).pages).toBe(1)
})
