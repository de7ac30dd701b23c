import { type Quote, usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { paidAnswer } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOneBatch } from './one-batch.fixture.ts'
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

const settle = (payouts: readonly ProcessingPayout[]): Promise<unknown> =>
  inOneBatch(
    bench.sql,
    payouts.map((payout) => bench.settleCommit(payout, paidAnswer(payout))),
  )

const quote = (): Promise<Quote> => bench.newQuote(tenantId, { source: usdt(1n) })
const open = async (): Promise<ProcessingPayout> => bench.newPayout(await quote())

test('settling reads the rows that it settles, also by a plan made when there was hardly any', async () => {
  const [first, ...others] = [await open(), await open(), await open(), await open()]
  expect(await settle([first])).toEqual(['committed'])
  await bench.sql(
    `insert into quipu.payout_open (tenant_id, payout_id, fencing_token, leased, due_at, claim_count)
     select $1, 'po_' || n, 1, true, now(), 0 from generate_series(1, $2::int) n`,
    [tenantId, crowd],
  )
  const rows = await rowsReadBy(bench.sql, '^(payout|wallet)', async () => {
    expect(await settle(others)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(30)
})

test('applying reads the rows that it applies, also by a plan made when there were hardly any', async () => {
  const [first, ...others] = [await quote(), await quote(), await quote(), await quote()]
  const applyAll = (quotes: readonly Quote[]): Promise<unknown> =>
    inOneBatch(
      bench.sql,
      quotes.map((each) => bench.applyCommit(each)),
    )
  expect(await applyAll([first])).toEqual(['committed'])
  await bench.sql(
    `insert into quipu.quote
     select (jsonb_populate_record(q, jsonb_build_object('id', uuidv7()))).*
     from quipu.quote q, generate_series(1, $2::int) where q.id = $1`,
    [first.id, crowd],
  )
  const rows = await rowsReadBy(bench.sql, '^(quote|wallet|payout)', async () => {
    expect(await applyAll(others)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(30)
})
