import { type ProcessingPayout, usdt } from '@quipu/core'
import { paid } from '@quipu/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchOf, itemOf } from './payout-items.ts'
import { rowsReadBy } from './reach.fixture.ts'
import { type Bench, openBench } from './stores.fixture.ts'

// What settling reads while very many payouts are open. It is planned while there are none, and a
// session keeps its plan.

const crowd = 20_000

let bench: Bench
let tenantId: string
beforeAll(async () => {
  bench = await openBench()
  tenantId = await bench.newWallet(usdt(1_000n))
})
afterAll(() => bench.close())

async function settle(payouts: readonly ProcessingPayout[]): Promise<unknown> {
  const items = payouts.map((payout) => itemOf(bench.settling(payout, paid(payout))))
  const text = 'select quipu.settle_payouts($1, $2, null) as verdicts'
  const [row] = await bench.sql(text, [...batchOf(items)])
  return row?.['verdicts']
}

const open = async (): Promise<ProcessingPayout> =>
  bench.applied(await bench.newQuote(tenantId, { source: usdt(1n) }))

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
    `insert into quipu.payout_open (tenant_id, payout_id, fence, leased, due_at, asked)
     select $1, 'po_' || n, 1, true, now(), 0 from generate_series(1, $2::int) n`,
    [tenantId, crowd],
  )
  const rows = await rowsReadBy(bench.sql, '^payout_open', async () => {
    expect(await settle(payouts)).toEqual(['committed', 'committed', 'committed'])
  })
  expect(rows).toBeLessThan(20)
})
