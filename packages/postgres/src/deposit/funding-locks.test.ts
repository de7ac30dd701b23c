import { usdt } from '@quipu/core'
import { creditDepositCommit, type DepositBuilders, depositBuilders, settleDepositCommit } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { inOneBatch } from '../test/one-batch.fixture.ts'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(harness.world)
  await deposits.credited({ value: 100_000_000n })
})

/** Runs a write of the wallet while another transaction holds 10 USDT of it for a payout, and then commits. */
async function duringAHold(write: () => Promise<unknown>): Promise<unknown> {
  const quote = await harness.newQuote(deposits.tenantId, { source: usdt(10_000_000n) })
  const holding = await openTransaction(harness.stores.url)
  expect(await inOneBatch(holding.sql, [harness.acceptCommit(quote)])).toEqual(['committed'])
  const result = write()
  const isWaiting = await doesWait(harness.sql, result)
  await holding.commit()
  expect(isWaiting).toBe(true)
  return result
}

const wallet = () => harness.stores.wallets.find(deposits.tenantId)

test('a deposit that is settled during a hold is added to what the hold leaves', async () => {
  await deposits.due({ value: 1_000_000n })
  const write = settleDepositCommit(harness.world, await deposits.claimOne())
  const before = await wallet()
  expect(await duringAHold(() => harness.stores.deposits.commit(write))).toBe('committed')
  const available = usdt((before?.available.minor ?? 0n) - 9_000_000n)
  expect(await wallet()).toMatchObject({ available })
  await harness.expectBalanced(deposits.tenantId)
})

test('a review that is credited during a hold is added to what the hold leaves', async () => {
  const write = await creditDepositCommit(harness.world, await deposits.inReview({ value: 2_000_000n }))
  const before = await wallet()
  expect(await duringAHold(() => harness.stores.deposits.commit(write))).toBe('committed')
  const available = usdt((before?.available.minor ?? 0n) - 8_000_000n)
  expect(await wallet()).toMatchObject({ available })
  await harness.expectBalanced(deposits.tenantId)
})
