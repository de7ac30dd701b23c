import { type Commit, type ProcessingPayout, type Quote, usdt } from '@quipu/core'
import { paid } from '@quipu/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchOf, itemOf } from './payout-items.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { type Bench, openBench } from '../test/stores.fixture.ts'

// What opening and settling read among very many others. They are planned while there are none, and a
// session keeps its plans.

const crowd = 20_000

let bench: Bench
let tenantId: string
beforeAll(async () => {
  bench = await openBench()
  tenantId = await bench.newWallet(usdt(1_000n))
})
afterAll(() => bench.close())

async function verdictsOf(call: string, writes: readonly Commit[]): Promise<unknown> {
  const [row] = await bench.sql(`select ${call}`, [...batchOf(writes.map(itemOf))])
  return row?.['verdicts']
}

const settle = (payouts: readonly ProcessingPayout[]): Promise<unknown> =>
  verdictsOf(
    'verdicts from quipu.settle_payouts($1, $2)',
    payouts.map((payout) => bench.settling(payout, paid(payout))),
  )

const quote = (): Promise<Quote> => bench.newQuote(tenantId, { source: usdt(1n) })
const open = async (): Promise<ProcessingPayout> => bench.applied(await quote())

test('settling reads the rows that it settles, also by a plan made when none was open', async () => {
  const payouts = [await open(), await open(), await open()]
  const opened = await bench.sql('delete from quipu.payout_open returning *')
  await bench.sql('vacuum analyze quipu.payout_open')
  expect(await settle(payouts)).toEqual(['stale', 'stale', 'stale'])
  const json = JSON.stringify(opened)
  await bench.sql(
    `insert into quipu.payout_open select * from jsonb_populate_recordset(null::quipu.payout_open, $1)`,
    [json],
  )
  await bench.sql(
    `insert into quipu.payout_open (tenant_id, payout_id, opened_at, fence, leased, due_at, asked)
     select $1, 'po_' || n, now(), 1, true, now(), 0 from generate_series(1, $2::int) n`,
    [tenantId, crowd],
  )
  const rows = await rowsReadBy(bench.sql, '^payout_open', async () => {
    expect(await settle(payouts)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(20)
})

test('opening reads the rows that it opens, also by a plan made when there were hardly any', async () => {
  const [first, ...others] = [await quote(), await quote(), await quote(), await quote()]
  const openAll = (quotes: readonly Quote[]): Promise<unknown> =>
    verdictsOf(
      'quipu.open_payouts($1, $2, null) as verdicts',
      quotes.map((each) => bench.applying(each)),
    )
  expect(await openAll([first])).toEqual(['committed'])
  await bench.sql(
    `insert into quipu.quote
     select (jsonb_populate_record(q, jsonb_build_object('id', uuidv7()))).*
     from quipu.quote q, generate_series(1, $2::int) where q.id = $1`,
    [first.id, crowd],
  )
  const rows = await rowsReadBy(bench.sql, '^(quote|wallet|payout)', async () => {
    expect(await openAll(others)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(30)
})
