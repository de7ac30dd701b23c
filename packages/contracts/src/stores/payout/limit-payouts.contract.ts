import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Quote, usdt } from '@quipu/core'
import type { FinalAnswer, PayoutCommitResult, ProcessingPayout } from '@quipu/core/adapter'
import type { DailyLimits, DailyUse } from '@quipu/core/operator'
import { paidAnswer, someAdmin } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants'

/** Answers of the network when it pays nothing. */
const unpaid: FinalAnswer = { type: 'refused_payment' }

const dayInSeconds = 86_400

/** Daily limits, decided by the commit that accepts a payout. */
export function limitPayoutsTests(open: OpenHarness<Needed>, runs: number): void {
  describe('daily limits', () => {
    const w = useWorld(open, 'each')

    test('refuse a payout above the amount or the count, and hold nothing', async () => {
      for (const limits of [
        { amount: usdt(29n), count: null },
        { amount: null, count: 2 },
      ]) {
        const tenantId = await newLimited(w, limits)
        expect(await accept(w, tenantId, [10n])).toEqual(['committed'])
        expect(await accept(w, tenantId, [10n])).toEqual(['committed'])
        const refused = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(10n) }))
        expect(await w.payouts.commit(refused)).toBe('daily_limit_exceeded')
        expect(await w.payouts.get(tenantId, refused.step.payout.id)).toBeUndefined()
        const quote = await w.quotes.find(tenantId, refused.step.payout.quoteId)
        expect(quote).toMatchObject({ status: 'open', payoutId: null })
        expect(await w.wallets.find(tenantId)).toMatchObject({ held: usdt(20n) })
        expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(20n), count: 2 })
      }
    })

    test('are decided after the quote and before the balance', async () => {
      const tenantId = await newLimited(w, { amount: usdt(10n), count: null }, 5n)
      const quote = await w.newQuote(tenantId, { source: usdt(11n), lifeSeconds: 60 })
      expect(await w.payouts.commit(w.acceptCommit(quote))).toBe('daily_limit_exceeded')
      expect(await accept(w, tenantId, [10n])).toEqual(['insufficient_balance'])
      await w.advance(60)
      expect(await w.payouts.commit(w.acceptCommit(quote))).toBe('quote_expired')
    })

    test('admit exactly up to the limit of many concurrent payouts', async () => {
      const prices = Array.from({ length: 150 }, () => 10n)
      for (const limits of [
        { amount: usdt(79n), count: null },
        { amount: null, count: 7 },
        { amount: usdt(70n), count: 7 },
      ]) {
        const tenantId = await newLimited(w, limits)
        const results = await accept(w, tenantId, prices)
        expect(results.filter((result) => result === 'committed')).toHaveLength(7)
        expect(results.filter((result) => result === 'daily_limit_exceeded')).toHaveLength(143)
        expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(70n), count: 7 })
      }
    })

    test('refuse only what does not fit, and only to the tenant that has them', async () => {
      const limited = await newLimited(w, { amount: usdt(10n), count: null })
      const free = await newLimited(w, { amount: null, count: null })
      const [results, others] = await Promise.all([accept(w, limited, [20n, 5n, 5n]), accept(w, free, [20n, 5n, 5n])])
      expect(results).toEqual(['daily_limit_exceeded', 'committed', 'committed'])
      expect(others).toEqual(['committed', 'committed', 'committed'])
      expect(await usedToday(w, free)).toEqual({ amount: usdt(30n), count: 3 })
    })

    test('count a payout while it is in processing and after it is paid, until midnight UTC', async () => {
      const tenantId = await newLimited(w, { amount: null, count: 1 })
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(10n) }))
      expect(await accept(w, tenantId, [1n])).toEqual(['daily_limit_exceeded'])
      await settle(w, payout, paidAnswer(payout))
      expect(await accept(w, tenantId, [1n])).toEqual(['daily_limit_exceeded'])
      await w.advance(dayInSeconds)
      expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(0n), count: 0 })
      expect(await accept(w, tenantId, [1n, 1n])).toEqual(['committed', 'daily_limit_exceeded'])
    })

    test('the day begins at midnight UTC, and a clock that goes back over it forgets nothing of the new day', async () => {
      const tenantId = await newLimited(w, { amount: null, count: 2 })
      const { createdAt } = await w.newQuote(tenantId, { source: usdt(1n) })
      await w.advance(dayInSeconds - 30 - ((createdAt.getTime() / 1000) % dayInSeconds))
      expect(await accept(w, tenantId, [1n, 1n])).toEqual(['committed', 'committed'])
      await w.advance(30)
      expect(await accept(w, tenantId, [1n])).toEqual(['committed'])
      await w.advance(-30)
      expect(await accept(w, tenantId, [1n])).toEqual(['committed'])
      await w.advance(30)
      expect(await accept(w, tenantId, [1n])).toEqual(['daily_limit_exceeded'])
      await w.advance(23 * 3_600)
      expect(await accept(w, tenantId, [1n])).toEqual(['daily_limit_exceeded'])
    })

    test('get back what is released, once', async () => {
      const tenantId = await newLimited(w, { amount: usdt(30n), count: 3 })
      const payouts = await Promise.all(
        [10n, 10n, 10n].map(async (price) => w.newPayout(await w.newQuote(tenantId, { source: usdt(price) }))),
      )
      const [paid, released, open] = payouts
      if (!paid || !released || !open) throw new Error('three payouts')
      const release = w.settleCommit(released, unpaid)
      const results = await Promise.all([
        w.payouts.commit(w.settleCommit(paid, paidAnswer(paid))),
        w.payouts.commit(release),
        w.payouts.commit(release),
      ])
      expect(results.toSorted()).toEqual(['committed', 'committed', 'stale'])
      expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(20n), count: 2 })
      expect(await accept(w, tenantId, [11n])).toEqual(['daily_limit_exceeded'])
      expect(await accept(w, tenantId, [10n])).toEqual(['committed'])
    })

    test('a release after midnight leaves the new day as it is', async () => {
      const tenantId = await newLimited(w, { amount: usdt(30n), count: null })
      const old = await w.newPayout(await w.newQuote(tenantId, { source: usdt(20n) }))
      await w.advance(dayInSeconds)
      const recent = await w.newPayout(await w.newQuote(tenantId, { source: usdt(10n) }))
      await settle(w, old, unpaid)
      expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(10n), count: 1 })
      expect(await accept(w, tenantId, [21n])).toEqual(['daily_limit_exceeded'])
      await settle(w, recent, unpaid)
      expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(0n), count: 0 })
      const both = [
        await w.newPayout(await w.newQuote(tenantId, { source: usdt(7n) })),
        await w.newPayout(await w.newQuote(tenantId, { source: usdt(8n) })),
      ]
      await Promise.all(both.map((payout) => settle(w, payout, unpaid)))
      expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(0n), count: 0 })
    })

    test('a new limit counts the payouts of the whole day, and one below them refuses the next', async () => {
      const tenantId = await newLimited(w, { amount: null, count: null })
      expect(await accept(w, tenantId, [10n, 10n])).toEqual(['committed', 'committed'])
      await limit(w, tenantId, { amount: usdt(25n), count: null })
      expect(await accept(w, tenantId, [6n])).toEqual(['daily_limit_exceeded'])
      await limit(w, tenantId, { amount: usdt(15n), count: null })
      expect(await accept(w, tenantId, [1n])).toEqual(['daily_limit_exceeded'])
      await limit(w, tenantId, { amount: usdt(26n), count: null })
      expect(await accept(w, tenantId, [6n])).toEqual(['committed'])
      expect((await w.tenants.find(tenantId))?.usedToday).toEqual({ amount: usdt(26n), count: 3 })
    })

    test('in random races, the day’s payouts that were not released never exceed them', async () => {
      await fc.assert(
        fc.asyncProperty(anyRace, (race) => expectWithinLimits(w, race)),
        { numRuns: runs },
      )
    })
  })
}

type Race = {
  readonly limits: DailyLimits
  readonly funds: bigint
  /** Each payout and how it ends, if it does; by days. */
  readonly days: readonly (readonly { readonly price: bigint; readonly end: 'paid' | 'unpaid' | null }[])[]
}

const anyRace: fc.Arbitrary<Race> = fc.record({
  limits: fc.record({
    amount: fc.option(fc.bigInt({ min: 1n, max: 40n }).map(usdt)),
    count: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  funds: fc.bigInt({ min: 20n, max: 200n }),
  days: fc.array(
    fc.array(fc.record({ price: fc.bigInt({ min: 1n, max: 20n }), end: fc.constantFrom('paid', 'unpaid', null) }), {
      minLength: 1,
      maxLength: 8,
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

async function expectWithinLimits(w: World<Needed>, { limits, funds, days }: Race): Promise<void> {
  const tenantId = await newLimited(w, limits, funds)
  const late: ProcessingPayout[] = []
  for (const payouts of days) {
    const today: ProcessingPayout[] = []
    await Promise.all(
      payouts.map(async ({ price, end }) => {
        const write = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(price) }))
        if ((await w.payouts.commit(write)) !== 'committed') return
        const { payout } = write.step
        if (end !== null) await settle(w, payout, end === 'paid' ? paidAnswer(payout) : unpaid)
        if (end !== 'unpaid') today.push(payout)
        if (end === null) late.push(payout)
      }),
    )
    const used = await usedToday(w, tenantId)
    expect(used).toEqual({ amount: usdt(sumOf(today)), count: today.length })
    expect(limits.amount === null || used.amount.minor <= limits.amount.minor).toBe(true)
    expect(limits.count === null || used.count <= limits.count).toBe(true)
    await w.advance(dayInSeconds)
    // Payouts of the days before end in random batches of the new day.
    await Promise.all(late.splice(0, 2).map((payout) => settle(w, payout, unpaid)))
    expect(await usedToday(w, tenantId)).toEqual({ amount: usdt(0n), count: 0 })
  }
}

const sumOf = (payouts: readonly ProcessingPayout[]): bigint =>
  payouts.reduce((sum, { quote }) => sum + quote.source.minor, 0n)

const newLimited = (w: World<Needed>, dailyLimits: DailyLimits, funds = 10_000n): Promise<string> =>
  w.newWallet(usdt(funds), { dailyLimits })

async function limit(w: World<Needed>, tenantId: string, dailyLimits: DailyLimits): Promise<void> {
  const tenant = await w.tenants.find(tenantId)
  if (tenant === undefined) throw new Error('no tenant')
  const next = { ...tenant, dailyLimits, revision: tenant.revision + 1 }
  expect(await w.tenants.update(next, 'tenant.update', someAdmin)).toBe('committed')
}

/** Accepts payouts of these prices at once. */
async function accept(
  w: World<Needed>,
  tenantId: string,
  prices: readonly bigint[],
): Promise<readonly (PayoutCommitResult | object)[]> {
  const quotes: Quote[] = await Promise.all(prices.map((price) => w.newQuote(tenantId, { source: usdt(price) })))
  return Promise.all(quotes.map((quote) => w.payouts.commit(w.acceptCommit(quote))))
}

async function settle(w: World<Needed>, payout: ProcessingPayout, answer: FinalAnswer): Promise<void> {
  expect(await w.payouts.commit(w.settleCommit(payout, answer))).not.toBe('stale')
}

async function usedToday(w: World<Needed>, tenantId: string): Promise<DailyUse> {
  const wallet = await w.wallets.find(tenantId)
  if (wallet === undefined) throw new Error('no wallet')
  return wallet.usedToday
}
