import { type Quote, usdt } from '@quipu/core'
import { laterInstant, someInstant } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })
let tenantId: string
beforeAll(async () => {
  tenantId = await harness.newWallet(usdt(100n))
})

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
