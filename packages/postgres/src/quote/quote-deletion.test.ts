import { type Quote, usdt } from '@quipu/core'
import { laterInstant, someInstant } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
let harness: StoreHarness
let tenantId: string
beforeAll(async () => {
  harness = await openStoreHarness({ clockOverride: () => clock })
  tenantId = await harness.newWallet(usdt(100n))
})
afterAll(() => harness.close())

const newQuote = () => harness.newQuote(tenantId, { source: usdt(1n) })
/** Deletes the quote as the owner of the tables. */
const remove = ({ id }: Quote) => harness.sql('delete from quipu.quote where id = $1', [id])

test('a quote is deleted when it has expired and no accepted payout uses it, by its owner', async () => {
  const [used, refused, unused] = [await newQuote(), await newQuote(), await newQuote()]
  await harness.newPayout(used)
  const { commit } = harness.stores.payouts
  expect(await commit(harness.insertEndedCommit(refused))).toBe('committed')
  await expect(remove(used)).rejects.toThrow(/cannot be deleted/)
  for (const quote of [refused, unused]) {
    await remove(quote)
    expect(await harness.stores.quotes.find(tenantId, quote.id)).toBeUndefined()
  }
  clock = laterInstant
  await expect(remove(await newQuote())).rejects.toThrow(/cannot be deleted/)
})
