import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

const harness = useStoreHarness()

test('beside a payout that does not fit, a transaction_id is taken for its own tenant only', async () => {
  const [one, two] = [await harness.newWallet(usdt(10n)), await harness.newWallet(usdt(10n))]
  const accept = async (tenantId: string, source: bigint, transactionId: string) =>
    harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(source) }), { transactionId })
  const taken = 'taken'
  expect(await inOneBatch(harness.sql, [await accept(one, 1n, taken)])).toEqual(['committed'])
  const batch = [await accept(one, 11n, 'too much'), await accept(two, 1n, taken)]
  expect(await inOneBatch(harness.sql, batch)).toEqual(['insufficient_balance', 'committed'])
  expect(await inOneBatch(harness.sql, [await accept(one, 1n, taken)])).toEqual(['stale'])
})
