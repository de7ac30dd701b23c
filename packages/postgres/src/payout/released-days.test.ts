import { usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { laterInstant } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

let clock = laterInstant
const harness = useStoreHarness({ clockOverride: () => clock })

test('a batch that releases payouts of two days frees those of the newer day', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const cancellation = async (days: number, source: bigint) => {
    clock = new Date(laterInstant.getTime() + days * 86_400_000)
    const quote = await harness.newQuote(tenantId, { source: usdt(source) })
    const payout: ProcessingPayout = await harness.newPayout(quote)
    return harness.settleCommit(payout, { type: 'cancelled' })
  }
  const old = await cancellation(0, 1n)
  const recent = [await cancellation(1, 2n), await cancellation(1, 4n)] as const
  await cancellation(1, 8n)
  const used = async () => {
    const [row] = await harness.sql(
      'select available, used_amount, used_count from quipu.wallet where tenant_id = $1',
      [tenantId],
    )
    return row
  }
  expect(await used()).toEqual({ available: '85', used_amount: '14', used_count: 3 })
  const batch = [recent[0], old, recent[1]]
  expect(await inOneBatch(harness.sql, batch)).toEqual(['committed', 'committed', 'committed'])
  expect(await used()).toEqual({ available: '92', used_amount: '8', used_count: 1 })
})
