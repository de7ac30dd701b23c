import { balances, legs, usdt } from '@quipu/core'
import { type OpenHarness, walletModelContract } from '@quipu/core/testing'
import { openProxy } from '@quipu/embedded-postgres'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { closeBooks } from './close-books.ts'
import { clientConfig, withConnection } from '../connection/connection.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { reusedStores } from '../test/reused-stores.fixture.ts'
import { type Bench, openBench, sqlOf } from '../test/stores.fixture.ts'
import { walletStatements } from './wallet-store.ts'

const reused = reusedStores()
afterAll(reused.drop)

/** Whoever reads books has them carried forward before, as far as they can be. */
const openClosing: OpenHarness = async () => {
  const harness = await reused.open()
  const { wallets } = harness
  const books: typeof wallets.books = async (tenantId) => {
    await harness.advance(1)
    await closeBooks(harness.url, { size: 2 })
    return wallets.books(tenantId)
  }
  return { ...harness, wallets: { ...wallets, books } }
}
walletModelContract('PostgreSQL that carries its books forward', openClosing)

let bench: Bench
beforeEach(async () => {
  let ms = Date.UTC(2026, 3, 1)
  bench = await openBench({ now: () => new Date(ms++) }) // No two movements are of one instant.
})
afterEach(() => bench.close())

/** Moves one micro-USDT into the wallet, so many times. */
async function move({ ids, stores }: Bench, tenantId: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const adjustment = { id: ids.uuid(new Date()), tenantId, direction: 'in' as const }
    const why = { amount: usdt(1n), reason: 'test', actor: 'test' }
    expect(await stores.wallets.adjust({ ...adjustment, ...why })).toBe('committed')
  }
}

/** How many transfers of the wallet are in each of its closings, the oldest first. */
async function closingsOf(tenantId: string): Promise<number[]> {
  const rows = await bench.sql(
    `select (select count(*)::int from quipu.transfer t
       where t.tenant_id = c.tenant_id and t.created_at < c.before) as n
     from quipu.closing c where c.tenant_id = $1 order by c.before`,
    [tenantId],
  )
  return rows.map(({ n }) => Number(n))
}

test('a wallet is closed by the size at a time, less its newest instant, and the others are left', async () => {
  const busy = await bench.newWallet(usdt(0n))
  const idle = await bench.newWallet(usdt(0n))
  await move(bench, busy, 9)
  await move(bench, idle, 3)
  expect(await closeBooks(bench.stores.url, { size: 4 })).toBe(2)
  expect(await closeBooks(bench.stores.url, { size: 4 })).toBe(0)
  expect(await closingsOf(busy)).toEqual([3, 6])
  expect(await closingsOf(idle)).toEqual([])
  const [carried] = await bench.sql(
    'select adjustment_in, deposit from quipu.closing where tenant_id = $1 order by before desc',
    [busy],
  )
  expect(carried).toEqual({ adjustment_in: '6', deposit: '0' })
})

test('every kind of movement is carried forward, again and again, whatever month it is of', async () => {
  const tenantId = await bench.newWallet(usdt(0n))
  const kinds = Object.entries(legs)
  // Months of the past have no partition of their own. Each sum of these amounts tells which are in it.
  for (const [n, monthsAgo] of [1, 30, 0, 2, -1].entries())
    await bench.sql(
      `insert into quipu.transfer (tenant_id, type, debit, credit, amount, deposit_id,
         available_after, held_after, seq, created_at)
       select $1, type, debit, credit, 10 ^ (place - 1) * 2 ^ $5::int,
         case type when 'deposit' then 'dep' end, 0, 0,
         case when type not in ('hold', 'release') then 1 end,
         now() - make_interval(months => $6) + make_interval(secs => place)
       from unnest($2::text[], $3::text[], $4::text[]) with ordinality t (type, debit, credit, place)`,
      [
        tenantId,
        kinds.map(([type]) => type),
        kinds.map(([, { debit }]) => debit),
        kinds.map(([, { credit }]) => credit),
        n,
        monthsAgo,
      ],
    )
  // Three at a time, of thirty; the last three have nothing after them.
  expect(await closeBooks(bench.stores.url, { size: 4 })).toBe(9)
  const books = await bench.stores.wallets.books(tenantId)
  expect(books?.totals).toEqual(await bench.stores.wallets.totals(tenantId))
  const [carried] = await bench.sql(
    `select deposit + hold + capture + release + adjustment_in + adjustment_out as amount
     from quipu.closing order by before desc limit 1`,
  )
  const [summed] = await bench.sql(
    `select sum(amount) as amount from (
       select amount from quipu.transfer order by created_at limit 27) t`,
  )
  expect(carried).toEqual(summed)
})

test('what moved at one instant is carried forward whole or not at all', async () => {
  let now = new Date('2026-04-01T00:00:00.000Z')
  const still = await openBench({ now: () => now })
  const close = (size: number) => closeBooks(still.stores.url, { size })
  const tenantId = await still.newWallet(usdt(0n))
  await move(still, tenantId, 5)
  expect(await close(3)).toBe(0)
  now = new Date(now.getTime() + 1)
  await move(still, tenantId, 1)
  expect(await close(3)).toBe(0) // The third is of the same instant as the first.
  expect(await close(6)).toBe(1)
  expect((await still.stores.wallets.books(tenantId))?.totals.adjusted).toEqual(usdt(6n))
  await still.close()
})

test('books that are read while money moves and others close them are right at every moment', async () => {
  const wallets = await Promise.all([1, 2].map(() => bench.newWallet(usdt(0n))))
  let isMoving = true
  const closing = async (): Promise<number> => {
    let closed = 0
    while (isMoving) closed += await closeBooks(bench.stores.url, { size: 5 })
    return closed
  }
  let read = 0
  const reading = async (tenantId: string): Promise<void> => {
    while (isMoving) {
      const books = await bench.stores.wallets.books(tenantId)
      expect(books && balances(books.wallet, books.totals)).toBe(true)
      read += 1
    }
  }
  const working = [closing(), closing()]
  const readers = wallets.map(reading)
  await Promise.all([...wallets, ...wallets].map((tenantId) => move(bench, tenantId, 60)))
  isMoving = false
  await Promise.all(readers)
  const closed = (await Promise.all(working)).reduce((sum, n) => sum + n, 0)
  expect(read).toBeGreaterThan(10)
  expect(closed).toBeGreaterThan(10)
  for (const tenantId of wallets) {
    const books = await bench.stores.wallets.books(tenantId)
    expect(books?.totals).toEqual(await bench.stores.wallets.totals(tenantId))
    expect(books?.wallet.available).toEqual(usdt(120n))
    // Two that came to the same closing have written it once.
    const closings = await closingsOf(tenantId)
    expect(closings).toEqual([...new Set(closings)])
  }
  expect(closed).toBe((await bench.sql('select from quipu.closing')).length)
})

/** How many rows of these tables a query reads, in a session like those of the stores. */
const rowsOf = (tables: string, text: string, values: readonly unknown[]): Promise<number> =>
  withConnection(clientConfig({ url: bench.stores.url }), (client) =>
    rowsReadBy(sqlOf(client), tables, () => client.query(text, [...values])),
  )

test('what is read of the books does not grow with what a wallet has moved', async () => {
  const tenantId = await bench.newWallet(usdt(0n))
  await move(bench, tenantId, 300)
  await closeBooks(bench.stores.url, { size: 20 })
  const books = walletStatements.find(({ name }) => name === 'wallet.books')
  const rows = await rowsOf('^(transfer|closing)', books?.text ?? '', [tenantId])
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan(3 * 20)
})

test('a wallet that has not moved often enough is found out without its movements', async () => {
  const tenantId = await bench.newWallet(usdt(0n))
  await move(bench, tenantId, 30)
  await bench.sql('vacuum quipu.transfer')
  const close = (size: number): Promise<number> =>
    rowsOf('^transfer', 'select quipu.close_books($1, $2)', [tenantId, size])
  expect(await close(31)).toBe(30) // Each in the index: the movement itself would count once more.
  expect(await close(30)).toBeGreaterThanOrEqual(3 * 29)
})

test('a closing that a lost connection leaves undone is made by the next', async () => {
  const tenantId = await bench.newWallet(usdt(0n))
  await move(bench, tenantId, 3)
  const proxy = await openProxy(bench.stores.url)
  const cut = proxy.cutNext('close_books', 'sent')
  await expect(closeBooks(proxy.url, { size: 3 })).rejects.toThrow('terminated')
  await cut // An error that nobody hears ends the whole run.
  await proxy.shut()
  await closeBooks(bench.stores.url, { size: 3 })
  expect(await closingsOf(tenantId)).toEqual([2])
})
