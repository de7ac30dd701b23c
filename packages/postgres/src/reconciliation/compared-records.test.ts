import { bob, type Payout, usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { laterInstant, paidAnswer } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../connection/database.ts'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'
import { postgresComparedRecords } from './compared-records.ts'

let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

const payout = async (tenantId: string): Promise<ProcessingPayout> =>
  harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n), target: bob(5_00n) }))

async function paid(tenantId: string): Promise<Payout> {
  const processing = await payout(tenantId)
  const write = harness.settleCommit(processing, paidAnswer(processing), { at: laterInstant })
  expect(await harness.stores.payouts.commit(write)).toBe('committed')
  return write.step.payout
}

test('a payout in processing is found also after a worker has claimed it', async () => {
  const { id, tenantId } = await payout(await harness.newWallet(usdt(10n)))
  const find = async (): Promise<unknown> =>
    (await harness.stores.reconciliations.findPayments([id, 'po_unknown'])).map((found) => [
      found.payoutId,
      found.status,
    ])
  expect(await find()).toEqual([[id, 'processing']])
  await harness.sql(
    `insert into quipu.payout_open (tenant_id, payout_id, fencing_token, leased, due_at, claim_count)
     values ($1, $2, 2, true, now(), 1)`,
    [tenantId, id],
  )
  expect(await find()).toEqual([[id, 'processing']])
  await harness.sql('delete from quipu.payout_lease')
  expect(await find()).toEqual([[id, 'processing']])
})

test('completed payments are read whole when a statement reads the logs of few wallets', async () => {
  const period = { from: laterInstant, to: new Date(laterInstant.getTime() + 1) }
  const all: string[] = []
  for (const count of [1, 0, 2, 0, 3]) {
    const tenantId = await harness.newWallet(usdt(10n))
    for (let n = 0; n < count; n++) all.push((await paid(tenantId)).id)
  }
  const database = openDatabase({ url: harness.stores.processUrl })
  for (const walletsAtOnce of [1, 2, 5, 100]) {
    const found: string[] = []
    const { completedPayments } = postgresComparedRecords(database, walletsAtOnce)
    for await (const page of completedPayments(period))
      found.push(...page.map(({ payoutId }) => payoutId))
    expect(found.toSorted()).toEqual(all.toSorted())
  }
  await database.close()
})
