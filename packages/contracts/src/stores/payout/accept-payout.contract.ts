import { describe, expect, test } from 'vitest'
import { MAX_MINOR, Unavailable, usdt } from '@quipu/core'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { uncapped } from '../../fixtures/builders.ts'
import { eventsAbout, expectEventTypes } from '../../fixtures/events-about.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

export function acceptPayoutTests(open: OpenHarness<Needed>): void {
  describe('accept', () => {
    const w = useWorld(open)

    test('drops a write whose deadline has passed; its transaction_id stays free', async () => {
      const tenantId = await w.newWallet(usdt(10n))
      const write = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(4n) }))
      const { id, transactionId } = write.step.payout
      const late = { ...write, deadline: { leftMs: () => 0 } }
      await expect(w.payouts.commit(late)).rejects.toBeInstanceOf(Unavailable)
      expect(await w.payouts.find(tenantId, transactionId)).toBeUndefined()
      expect(await w.wallets.find(tenantId)).toMatchObject({ held: usdt(0n) })
      const inTime = { ...write, deadline: { leftMs: () => 1 } }
      expect(await w.payouts.commit(inTime)).toBe('committed')
      expect(await w.payouts.get(tenantId, id)).toBeDefined()
    })

    test('inserts the payout, uses its quote and holds its price in one commit', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId, { source: usdt(30n) })
      const write = w.acceptCommit(quote, { fingerprint: 'v1:abc' })
      const { payout } = write.step

      expect(await w.payouts.commit(write)).toBe('committed')

      expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout)
      expect(await w.payouts.find(tenantId, payout.transactionId)).toEqual({
        payout,
        fingerprint: 'v1:abc',
        leased: true,
        ageMs: expect.any(Number) as unknown,
      })
      expect(await w.quotes.find(tenantId, quote.id)).toEqual({ quote, status: 'used', payoutId: payout.id })
      expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 30n })
      expect((await w.wallets.totals(tenantId)).held).toEqual(usdt(30n))
      await expectEventTypes(w, tenantId, payout.id, [])
    })

    test.each([0n, -30n])('holds no amount of %s', async (minor) => {
      const tenantId = await w.newWallet(usdt(100n))
      await w.newPayout(await w.newQuote(tenantId, { source: usdt(40n) })) // A negative hold would fit.
      const { step, ...write } = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(30n) }))
      const amount = usdt(minor)
      const quote = { ...step.payout.quote, source: amount }
      const forged = { payout: { ...step.payout, quote }, transfer: { type: 'hold', amount } } as const
      await expect(w.payouts.commit({ ...write, step: { ...step, ...forged } })).rejects.toThrow()
      expect(await balanceOf(w, tenantId)).toEqual({ available: 60n, held: 40n })
      expect(await w.payouts.get(tenantId, step.payout.id)).toBeUndefined()
    })

    test('a repeated acceptance is stale and holds nothing more', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const write = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(30n) }))
      expect(await w.payouts.commit(write)).toBe('committed')
      expect(await w.payouts.commit(write)).toBe('stale')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 30n })
    })

    test('holds the last micro-USDT of a wallet, but not one more', async () => {
      const tenantId = await w.newWallet(usdt(30n))
      const first = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(30n) }))
      const second = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(1n) }))
      expect(await w.payouts.commit(first)).toBe('committed')
      expect(await w.payouts.commit(second)).toBe('insufficient_balance')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 30n })
    })

    test('holds the largest ledger amount exactly', async () => {
      const tenantId = await w.newWallet(usdt(MAX_MINOR), { pricing: uncapped })
      const quote = await w.newQuote(tenantId, { source: usdt(MAX_MINOR) })
      const payout = await w.newPayout(quote)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: MAX_MINOR })
      expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout)
    })

    test('two tenants may use the same transaction_id', async () => {
      const options = { transactionId: 'invoice-1' }
      for (const tenantId of [await w.newWallet(usdt(50n)), await w.newWallet(usdt(50n))]) {
        const quote = await w.newQuote(tenantId, { source: usdt(20n) })
        const payout = await w.newPayout(quote, options)
        expect((await w.payouts.find(tenantId, 'invoice-1'))?.payout).toEqual(payout)
      }
    })
  })
  describe('a refused acceptance', () => {
    refusalsContract(open)
  })
}

/** Each test breaks the later guards too, so it also proves the order of the guards. */
function refusalsContract(open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')
  const tooMuch = { source: usdt(1_000n) }

  test('a used transaction_id is stale, even with a used and expired quote', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const quote = await w.newQuote(tenantId, { source: usdt(60n), lifeSeconds: 60 })
    await w.newPayout(quote, { transactionId: 'taken' })
    await w.advance(120)
    const before = await snapshot(w, tenantId)
    expect(await w.payouts.commit(w.acceptCommit(quote, { transactionId: 'taken' }))).toBe('stale')
    expect(await snapshot(w, tenantId)).toEqual(before)
  })

  test('a used quote is quote_used, even when it has expired and the balance is too low', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const quote = await w.newQuote(tenantId, { source: usdt(60n), lifeSeconds: 60 })
    const user = await w.newPayout(quote)
    await w.advance(120)
    const before = await snapshot(w, tenantId)
    const write = w.acceptCommit(quote, { transactionId: 'rival' })
    expect(await w.payouts.commit(write)).toBe('quote_used')
    expect(await snapshot(w, tenantId)).toEqual(before)
    expect(await w.payouts.find(tenantId, 'rival')).toBeUndefined()
    expect(await w.payouts.get(tenantId, write.step.payout.id)).toBeUndefined()
    expect((await w.quotes.find(tenantId, quote.id))?.payoutId).toBe(user.id)
  })

  test('an expired quote is quote_expired, even when the balance is too low', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const quote = await w.newQuote(tenantId, { ...tooMuch, lifeSeconds: 60 })
    await w.advance(60)
    const before = await snapshot(w, tenantId)
    const write = w.acceptCommit(quote, { transactionId: 'late' })
    expect(await w.payouts.commit(write)).toBe('quote_expired')
    expect(await snapshot(w, tenantId)).toEqual(before)
    expect(await w.payouts.find(tenantId, 'late')).toBeUndefined()
    const view = { quote, status: 'expired', payoutId: null }
    expect(await w.quotes.find(tenantId, quote.id)).toEqual(view)
  })

  test('accepts a quote until it expires', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const quotes = [
      await w.newQuote(tenantId, { source: usdt(10n), lifeSeconds: 60 }),
      await w.newQuote(tenantId, { source: usdt(10n), lifeSeconds: 60 }),
    ] as const
    await w.advance(59)
    expect(await w.payouts.commit(w.acceptCommit(quotes[0]))).toBe('committed')
    await w.advance(1)
    expect(await w.payouts.commit(w.acceptCommit(quotes[1]))).toBe('quote_expired')
  })

  test('a price above the balance is insufficient_balance; the quote stays open', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const quote = await w.newQuote(tenantId, tooMuch)
    const before = await snapshot(w, tenantId)
    const write = w.acceptCommit(quote, { transactionId: 'poor' })
    expect(await w.payouts.commit(write)).toBe('insufficient_balance')
    expect(await snapshot(w, tenantId)).toEqual(before)
    expect(await w.payouts.find(tenantId, 'poor')).toBeUndefined()
    const view = { quote, status: 'open', payoutId: null }
    expect(await w.quotes.find(tenantId, quote.id)).toEqual(view)
    expect(await w.payouts.claimDue(10, 15)).toEqual([])
  })

  test('a refused transaction_id can be accepted later', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const options = { transactionId: 'again' }
    const refused = w.acceptCommit(await w.newQuote(tenantId, tooMuch), options)
    expect(await w.payouts.commit(refused)).toBe('insufficient_balance')
    const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(100n) }), options)
    expect((await w.payouts.find(tenantId, 'again'))?.payout).toEqual(payout)
  })
}

/** All rows of a tenant that a refused write could have changed. */
async function snapshot(w: World<Needed>, tenantId: string): Promise<unknown> {
  const { events } = w
  const payouts = await w.payouts.list(tenantId, { limit: 100 })
  const ids = payouts.items.map((payout) => payout.id)
  return {
    payouts,
    events: events && (await Promise.all(ids.map((id) => eventsAbout({ events }, tenantId, id)))),
    wallet: await w.wallets.find(tenantId),
    totals: await w.wallets.totals(tenantId),
  }
}
