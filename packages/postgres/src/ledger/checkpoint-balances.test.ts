import { usdt } from '@quipu/core'
import { isBalanced } from '@quipu/core/adapter'
import { adjustWallet, type OpenHarness, paidAnswer, walletModelContract } from '@quipu/contracts'
import { openProxy } from '@quipu/embedded-postgres'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { checkpointBalances } from './checkpoint-balances.ts'
import { clientConfig, withConnection } from '../connection/connection.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { reusedStores } from '../test/reused-stores.fixture.ts'
import { type StoreHarness, openStoreHarness, sqlOf } from '../test/stores.fixture.ts'
import { booksOf } from './wallet-store.ts'

const reused = reusedStores()
afterAll(reused.drop)

/** Stores that add all possible checkpoints before each reconciliation. */
const openCheckpointed: OpenHarness = async () => {
  const reopened = await reused.open()
  const { wallets } = reopened
  const books: typeof wallets.books = async (tenantId) => {
    await checkpointBalances(reopened.url, { size: 2 })
    return wallets.books(tenantId)
  }
  return { ...reopened, wallets: { ...wallets, books } }
}
walletModelContract('PostgreSQL with balance checkpoints', openCheckpointed)

let harness: StoreHarness
beforeEach(async () => {
  harness = await openStoreHarness()
})
afterEach(() => harness.close())

/** Moves one micro-USDT into the wallet, `times` times. */
async function move({ ids, stores }: StoreHarness, tenantId: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const adjustment = { id: ids.uuid(new Date()), tenantId, direction: 'in' as const }
    const why = { amount: usdt(1n), reason: 'test', actor: 'test' }
    expect(await adjustWallet(stores, { ...adjustment, ...why })).toBe('committed')
  }
}

/** The last entry of each checkpoint of the wallet, oldest first. */
async function checkpointsOf(tenantId: string): Promise<number[]> {
  const rows = await harness.sql(
    'select through_seq from quipu.balance_checkpoint where tenant_id = $1 order by through_seq',
    [tenantId],
  )
  return rows.map(({ through_seq }) => Number(through_seq))
}

/** Changes rows with triggers off, as a superuser can. */
const forge = (text: string): Promise<unknown> =>
  harness.sql(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)

test('a wallet gets a checkpoint every `size` entries, and none for fewer', async () => {
  const busy = await harness.newWallet(usdt(0n))
  const idle = await harness.newWallet(usdt(0n))
  await move(harness, busy, 9)
  await move(harness, idle, 3)
  expect(await checkpointBalances(harness.stores.url, { size: 4 })).toBe(2)
  expect(await checkpointBalances(harness.stores.url, { size: 4 })).toBe(0)
  expect(await checkpointsOf(busy)).toEqual([4, 8])
  expect(await checkpointsOf(idle)).toEqual([])
  const [newest] = await harness.sql(
    `select c.adjustment_in, c.deposit, c.through_at = f.logged_at as is_dated
     from quipu.balance_checkpoint c
     join quipu.funding_entry f on f.tenant_id = c.tenant_id and f.seq = c.through_seq
     where c.tenant_id = $1 order by c.through_seq desc`,
    [busy],
  )
  expect(newest).toEqual({ adjustment_in: '8', deposit: '0', is_dated: true })
})

test('entries of one instant are divided among checkpoints by their numbers', async () => {
  const now = new Date('2026-04-01T00:00:00.000Z')
  const still = await openStoreHarness({ clockOverride: () => now })
  const tenantId = await still.newWallet(usdt(0n))
  await move(still, tenantId, 5)
  expect(await checkpointBalances(still.stores.url, { size: 2 })).toBe(2)
  expect((await still.stores.wallets.books(tenantId))?.totals.adjusted).toEqual(usdt(5n))
  await still.close()
})

test.each([
  ['missing', 'delete from quipu.funding_entry where seq = 6'],
  [
    'doubled',
    `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
       held_after, type, subject_id)
     select tenant_id, seq, logged_at + interval '1 us', occurred_at, amount, available_after, held_after,
       type, 'forged' from quipu.funding_entry where seq = 6`,
  ],
])('no checkpoint includes an entry that is %s', async (_, text) => {
  const tenantId = await harness.newWallet(usdt(0n))
  await move(harness, tenantId, 12)
  await forge(text)
  expect(await checkpointBalances(harness.stores.url, { size: 4 })).toBe(1)
  expect(await checkpointsOf(tenantId)).toEqual([4])
})

test('reconciliation is right at every moment while money moves and checkpoints are added', async () => {
  const wallets = await Promise.all([1, 2].map(() => harness.newWallet(usdt(0n))))
  let isMoving = true
  const adding = async (): Promise<number> => {
    let added = 0
    while (isMoving) added += await checkpointBalances(harness.stores.url, { size: 5 })
    return added
  }
  let read = 0
  const reading = async (tenantId: string): Promise<void> => {
    while (isMoving) {
      const books = await harness.stores.wallets.books(tenantId)
      expect(books && isBalanced(books.wallet, books.totals)).toBe(true)
      read += 1
    }
  }
  const working = [adding(), adding()]
  const readers = wallets.map(reading)
  await Promise.all([...wallets, ...wallets].map((tenantId) => move(harness, tenantId, 60))).finally(
    () => (isMoving = false),
  )
  await Promise.all(readers)
  const added = (await Promise.all(working)).reduce((sum, n) => sum + n, 0)
  expect(read).toBeGreaterThan(10)
  expect(added).toBeGreaterThan(10)
  for (const tenantId of wallets) {
    const books = await harness.stores.wallets.books(tenantId)
    expect(books?.totals).toEqual(await harness.stores.wallets.totals(tenantId))
    expect(books?.wallet.available).toEqual(usdt(120n))
    // One of two concurrent callers has added each checkpoint.
    const checkpoints = await checkpointsOf(tenantId)
    expect(checkpoints).toEqual(checkpoints.map((_, n) => 5 * (n + 1)))
  }
  expect(added).toBe((await harness.sql('select from quipu.balance_checkpoint')).length)
})

/** How many rows of these tables a query reads, in a session with the settings of the stores. */
const rowsOf = (tables: string, text: string, values: readonly unknown[]): Promise<number> =>
  withConnection(clientConfig({ url: harness.stores.url }), (client) =>
    rowsReadBy(sqlOf(client), tables, () => client.query(text, [...values])),
  )

const log = '^(payout_end|funding_entry)'

test('reconciliation reads the log since its checkpoint also when one tenant has most payouts', async () => {
  const tenantId = await harness.newWallet(usdt(10n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }))
  await harness.stores.payouts.commit(harness.settleCommit(payout, paidAnswer(payout)))
  const [entries, later] = [30_000, 100]
  await forge(
    `insert into quipu.payout_end
     select (jsonb_populate_record(e, jsonb_build_object('seq', e.seq + n,
       'tenant_id', case when n % 2 = 0 then e.tenant_id else 'ten_' || n % 199 end,
       'ended_at', e.ended_at + n * interval '1 ms', 'payout_id', 'po_' || lpad(n::text, 26, '0')))).*
     from quipu.payout_end e, generate_series(1, ${entries}) n where e.payout_id = '${payout.id}';
     insert into quipu.balance_checkpoint (tenant_id, through_seq, through_at, deposit, capture, release,
       adjustment_in, adjustment_out)
     select e.tenant_id, e.seq, e.ended_at, 0, 0, 0, 0, 0
     from quipu.payout_end e where e.tenant_id = '${tenantId}' order by e.seq desc offset ${later} limit 1;
     analyze quipu.payout_end`,
  )
  const rows = await rowsOf(log, booksOf.text, [tenantId, null])
  expect(rows).toBeGreaterThanOrEqual(later)
  expect(rows).toBeLessThan(3 * later)
})

test('a checkpoint that a lost connection prevented is added by the next call', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  await move(harness, tenantId, 3)
  const proxy = await openProxy(harness.stores.url)
  const cut = proxy.cutNext('checkpoint_balance', 'sent')
  await expect(checkpointBalances(proxy.url, { size: 3 })).rejects.toThrow('terminated')
  await cut // an unhandled error would end the whole run
  await proxy.shut()
  await checkpointBalances(harness.stores.url, { size: 3 })
  expect(await checkpointsOf(tenantId)).toEqual([3])
})
