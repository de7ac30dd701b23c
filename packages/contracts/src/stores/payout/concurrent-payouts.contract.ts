import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Payout, type Quote, usdt } from '@quipu/core'
import { isBalanced, type PayoutCommitResult, type FinalAnswer, type Redated } from '@quipu/core/adapter'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { expectEventTypes } from '../../fixtures/events-about.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

export function concurrentPayoutsTests(open: OpenHarness<Needed>, runs: number): void {
  describe('concurrent commits', () => {
    const w = useWorld(open)

    test('a wallet with funds for 10 payouts holds exactly 10 of 150 concurrent ones', async () => {
      const tenantId = await w.newWallet(usdt(109n))
      const quotes = await quotesOf(
        w,
        tenantId,
        Array.from({ length: 150 }, () => 10n),
      )
      const results = await acceptAll(w, quotes)
      expect(results.filter((result) => result === 'committed')).toHaveLength(10)
      expect(results.filter((result) => result === 'insufficient_balance')).toHaveLength(140)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 9n, held: 100n })
    })

    test('a wallet of 10 refuses only the 20 of concurrent payouts of 20, 5 and 5', async () => {
      for (const prices of [
        [20n, 5n, 5n],
        [5n, 20n, 5n],
        [5n, 5n, 20n],
      ]) {
        const tenantId = await w.newWallet(usdt(10n))
        const results = await acceptAll(w, await quotesOf(w, tenantId, prices))
        expect(results).toEqual(prices.map((price) => (price === 20n ? 'insufficient_balance' : 'committed')))
        expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 10n })
      }
    })

    test('exactly one of 20 concurrent payouts uses a quote', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId, { source: usdt(10n) })
      const results = await acceptAll(
        w,
        Array.from({ length: 20 }, () => quote),
      )
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(results.filter((result) => result === 'quote_used')).toHaveLength(19)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 90n, held: 10n })
    })

    test('exactly one of 20 concurrent payouts with one transaction_id commits, and uses its quote', async () => {
      const tenantId = await w.newWallet(usdt(1_000n))
      const quotes = await quotesOf(
        w,
        tenantId,
        Array.from({ length: 20 }, () => 10n),
      )
      const results = await acceptAll(w, quotes, 'the-same')
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(results.filter((result) => result === 'stale')).toHaveLength(19)
      const views = await Promise.all(quotes.map(({ id }) => w.quotes.find(tenantId, id)))
      expect(views.filter((view) => view?.status === 'used')).toHaveLength(1)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 990n, held: 10n })
    })

    test('random concurrent commits conserve money; a transaction_id and a quote have at most one payout', async () => {
      await fc.assert(
        fc.asyncProperty(anyRace, (race) => expectSound(w, race)),
        { numRuns: runs },
      )
    })
  })
}

type Request = { readonly transaction: number; readonly quote: number; readonly settledBy: readonly number[] }
type Race = { readonly funds: bigint; readonly prices: readonly bigint[]; readonly requests: readonly Request[] }

/** Few ids, few quotes and little money, so that most requests conflict. */
const anyRace: fc.Arbitrary<Race> = fc.record({
  funds: fc.bigInt({ min: 0n, max: 40n }),
  prices: fc.array(fc.bigInt({ min: 1n, max: 20n }), { minLength: 4, maxLength: 4 }),
  requests: fc.array(
    fc.record({ transaction: fc.nat(4), quote: fc.nat(3), settledBy: fc.array(fc.nat(2), { maxLength: 3 }) }),
    { minLength: 1, maxLength: 12 },
  ),
})
const answers: readonly ((payout: Payout) => FinalAnswer)[] = [
  paidAnswer,
  () => ({ type: 'refused_payment' }),
  () => ({ type: 'no_liquidity' }),
]

async function expectSound(w: World<Needed>, { funds, prices, requests }: Race): Promise<void> {
  const tenantId = await w.newWallet(usdt(funds))
  const quotes = await quotesOf(w, tenantId, prices)
  await Promise.all(requests.map((request) => run(w, quotes, request)))

  const { items } = await w.payouts.list(tenantId, { limit: 100 })
  const wallet = await w.wallets.find(tenantId)
  const totals = await w.wallets.totals(tenantId)
  const sum = (payouts: readonly Payout[]) =>
    payouts.reduce((total, { quote }) => total + (quote?.source.minor ?? 0n), 0n)
  const inStatus = (status: Payout['status']) => items.filter((each) => each.status === status)

  expect(new Set(items.map((each) => each.transactionId)).size).toBe(items.length)
  const used = items.flatMap((each) => (each.quote ? [each.quoteId] : []))
  expect(new Set(used).size).toBe(used.length)
  const views = await Promise.all(quotes.map(({ id }) => w.quotes.find(tenantId, id)))
  for (const { quote, payoutId } of views.flatMap((view) => view ?? [])) {
    expect(items.find((each) => each.quote?.id === quote.id)?.id ?? null).toBe(payoutId)
  }
  expect(wallet?.held.minor).toBe(sum(inStatus('processing')))
  const left = funds - sum(inStatus('completed'))
  expect((wallet?.available.minor ?? 0n) + (wallet?.held.minor ?? 0n)).toBe(left)
  expect(wallet && isBalanced(wallet, totals)).toBe(true)
  for (const each of items) {
    const type = each.status !== 'processing' && each.status !== 'rejected' ? ([`payout.${each.status}`] as const) : []
    await expectEventTypes(w, tenantId, each.id, type)
  }
}

/** One request as `createPayout` makes it: accept, then settle; or insert the ended payout. */
async function run(w: World<Needed>, quotes: readonly Quote[], request: Request): Promise<void> {
  const quote = quotes[request.quote]
  if (quote === undefined) throw new Error('no such quote')
  const transactionId = `tx-${request.transaction}`
  const write = w.acceptCommit(quote, { transactionId })
  const accepted = await w.payouts.commit(write)
  if (accepted === 'committed') {
    const { payout } = write.step
    const settles = request.settledBy.flatMap((index) => answers[index]?.(payout) ?? [])
    const again = w.payouts.commit(write)
    const ends = await Promise.all(settles.map((each) => w.payouts.commit(w.settleCommit(payout, each))))
    expect(await again).toBe('stale')
    expect(ends.filter((end) => end === 'committed')).toHaveLength(Math.min(1, settles.length))
  } else if (accepted !== 'stale') {
    const code = accepted === 'quote_used' ? 'QUOTE_ALREADY_USED' : 'INSUFFICIENT_BALANCE'
    await w.payouts.commit(w.insertEndedCommit(quote, { transactionId, code }))
  }
}

const quotesOf = (w: World<Needed>, tenantId: string, prices: readonly bigint[]): Promise<Quote[]> =>
  Promise.all(prices.map((price) => w.newQuote(tenantId, { source: usdt(price) })))

const acceptAll = (
  w: World<Needed>,
  quotes: readonly Quote[],
  transactionId?: string,
): Promise<(PayoutCommitResult | Redated)[]> =>
  Promise.all(quotes.map((quote) => w.payouts.commit(w.acceptCommit(quote, transactionId ? { transactionId } : {}))))
