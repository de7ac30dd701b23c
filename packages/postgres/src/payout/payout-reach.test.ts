import { type Quote, usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { paidAnswer } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { inOneBatch } from '../test/one-batch.fixture.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

// How many rows accepting and settling read in large tables. They are planned while the tables are empty, and
// the session keeps those plans.

const crowd = 20_000

const harness = useStoreHarness()
let tenantId: string
beforeAll(async () => {
  tenantId = await harness.newWallet(usdt(1_000n))
})

const settle = (payouts: readonly ProcessingPayout[]): Promise<unknown> =>
  inOneBatch(
    harness.sql,
    payouts.map((payout) => harness.settleCommit(payout, paidAnswer(payout))),
  )

const quote = (): Promise<Quote> => harness.newQuote(tenantId, { source: usdt(1n) })
const open = async (): Promise<ProcessingPayout> => harness.newPayout(await quote())

test('settling reads only its own rows, also by a plan for nearly empty tables', async () => {
  const [first, ...others] = [await open(), await open(), await open(), await open()]
  expect(await settle([first])).toEqual(['committed'])
  await harness.sql(
    `insert into quipu.payout_open (tenant_id, payout_id, fencing_token, leased, due_at, claim_count)
     select $1, 'po_' || n, 1, true, now(), 0 from generate_series(1, $2::int) n`,
    [tenantId, crowd],
  )
  const rows = await rowsReadBy(harness.sql, '^(payout|wallet)', async () => {
    expect(await settle(others)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(30)
})

test('accepting reads only its own rows, also by a plan for nearly empty tables', async () => {
  const [first, ...others] = [await quote(), await quote(), await quote(), await quote()]
  const acceptAll = (quotes: readonly Quote[]): Promise<unknown> =>
    inOneBatch(
      harness.sql,
      quotes.map((each) => harness.acceptCommit(each)),
    )
  expect(await acceptAll([first])).toEqual(['committed'])
  await harness.sql(
    `insert into quipu.quote
     select (jsonb_populate_record(q, jsonb_build_object('id', uuidv7()))).*
     from quipu.quote q, generate_series(1, $2::int) where q.id = $1`,
    [first.id, crowd],
  )
  const rows = await rowsReadBy(harness.sql, '^(quote|wallet|payout)', async () => {
    expect(await acceptAll(others)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(30)
})
