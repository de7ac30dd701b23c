import { usdt, type WalletTransaction } from '@quipu/core'
import type { WalletTransactionQuery } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { scannedMax } from '../page.ts'
import { rowsReadBy, useStoreSession } from '../test/reach.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { transactionStatements } from './wallet-transactions.ts'

// How many rows a page reads to find a few transactions among very many of the same tenant.

const crowd = 10_000
const few = 20

const harness = useStoreHarness()
const sql = useStoreSession(harness)

/** Adds numbers and instants for `$2` entries, one a millisecond, to the end of the tenant's log. */
const moved = `
  moved as (
    update quipu.wallet set seq = seq + $2,
      logged_at = greatest(logged_at, created_at) + make_interval(secs => $2 / 1000.0)
    where tenant_id = $1
    returning old.seq, greatest(old.logged_at, created_at) as logged_at
  ), entry as (
    select m.seq + n as seq, m.logged_at + make_interval(secs => n / 1000.0) as logged_at
    from moved m, generate_series(1, $2::int) n
  )`

const ends = (status: 'completed' | 'cancelled'): string => `
  with ${moved}
  insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, fencing_token,
    event_id, tenant_id, payout_id, status, error_code, error_message, body)
  select seq, logged_at, 1, 0, 0, 1, quipu.uuid_at(uuidv7(), logged_at), $1, 'po_' || uuidv7(),
    '${status}', ${status === 'completed' ? 'null, null' : `'PAYMENT_CANCELLED', 'Why.'`}, '{}'
  from entry`

const funding = (type: 'adjustment_in' | 'deposit.credited'): string => `
  with ${moved}
  insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
    held_after, type, subject_id, event_id, body)
  select $1, seq, logged_at, logged_at, 1, 0, 0, '${type}', 'dep_' || uuidv7(),
    ${type === 'adjustment_in' ? 'null, null' : `quipu.uuid_at(uuidv7(), logged_at), '{}'`}
  from entry`

const all = ['capture', 'deposit', 'adjustment_in', 'adjustment_out']

/** How many rows of the log a page reads, and how many it shows. */
async function reading(tenantId: string, types: readonly string[]) {
  const text = transactionStatements.find(({ name }) => name === 'wallet.transactions')?.text ?? ''
  const values = [tenantId, 'infinity', 0, '-infinity', 'infinity', types, few + 1]
  let found = 0
  const rows = await rowsReadBy(sql, '^(payout_end|funding_entry)', async () => {
    found = (await sql(text, values)).length
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

test.each([
  ['deposit', funding('deposit.credited'), ends('completed')],
  ['adjustment_in', funding('adjustment_in'), ends('completed')],
  ['adjustment_in', funding('adjustment_in'), funding('deposit.credited')],
  ['capture', ends('completed'), funding('deposit.credited')],
])('few of one type (%s) among many of another are read alone', async (type, wanted, others) => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(wanted, [tenantId, few])
  await sql(others, [tenantId, crowd])
  const { found, rows } = await reading(tenantId, [type])
  expect(found).toBe(few)
  expect(rows).toBeLessThan(3 * few)
})

test('a page of all types reads at most a page of each type', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  for (const entries of [ends('completed'), funding('deposit.credited'), funding('adjustment_in')])
    await sql(entries, [tenantId, 1_000])
  const { found, rows } = await reading(tenantId, all)
  expect(found).toBe(few + 1)
  expect(rows).toBeLessThan(3 * 3 * few)
})

test('among many payouts that were not completed each transaction is found once, and each page reads at most its bound', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  for (const entries of [ends('completed'), funding('adjustment_in')]) await sql(entries, [tenantId, few])
  await sql(ends('cancelled'), [tenantId, crowd])
  await sql(funding('deposit.credited'), [tenantId, few])
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
