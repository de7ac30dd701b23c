import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

const harness = useStoreHarness()

test('a refused item takes no transaction_id from a later one of its batch', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const accept = async (source: bigint, transactionId: string) =>
    harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(source) }), { transactionId })
  const batch = [await accept(60n, 'own'), await accept(60n, 'shared'), await accept(10n, 'shared')]
  expect(await inOneBatch(harness.sql, batch)).toEqual(['committed', 'insufficient_balance', 'committed'])
})

test('an item above a daily limit does not count against the limits of later ones', async () => {
  for (const [amount, count, results] of [
    [10n, null, ['daily_limit_exceeded', 'daily_limit_exceeded', 'committed', 'committed']],
    [24n, null, ['committed', 'daily_limit_exceeded', 'committed', 'daily_limit_exceeded']],
    [99n, 2, ['committed', 'committed', 'daily_limit_exceeded', 'daily_limit_exceeded']],
  ] as const) {
    const tenantId = await harness.newWallet(usdt(100n), { dailyLimits: { amount: usdt(amount), count } })
    const quotes = await Promise.all(
      [20n, 11n, 4n, 5n].map((each) => harness.newQuote(tenantId, { source: usdt(each) })),
    )
    const batch = quotes.map((quote) => harness.acceptCommit(quote))
    expect(await inOneBatch(harness.sql, batch)).toEqual(results)
    await harness.expectBalanced(tenantId)
  }
})

test('each payout of a batch has the balances of its own wallet after it', async () => {
  const [one, two] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(50n))]
  const accept = async (tenantId: string, source: bigint) =>
    harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(source) }))
  const batch = [await accept(one, 10n), await accept(two, 1n), await accept(one, 101n), await accept(one, 20n)]
  const results = ['committed', 'committed', 'insufficient_balance', 'committed']
  expect(await inOneBatch(harness.sql, batch)).toEqual(results)
  const balances = `select available_after::text as available, held_after::text as held from quipu.payout where id = $1`
  const rows = await Promise.all(batch.map(({ step }) => harness.sql(balances, [step.payout.id])))
  expect(rows.flat()).toEqual([
    { available: '90', held: '10' },
    { available: '49', held: '1' },
    { available: '70', held: '30' },
  ])
})

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
