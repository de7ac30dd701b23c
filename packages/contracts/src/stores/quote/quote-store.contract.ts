import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bob, usdt } from '@quipu/core'
import { anyQuoteDraft } from '../../fixtures/payout/payout-arbitraries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

/** The contract of a `QuoteStore`. `payoutStoreContract` proves that a payout uses its quote. */
export function quoteStoreContract(name: string, open: OpenHarness<Needed>, { runs = 50 }: Runs = {}): void {
  describe(`quote store in ${name}`, () => {
    const w = useWorld(open)

    test('reads back every quote as inserted, in whole milliseconds', async () => {
      const feeFixed = usdt(250_000n)
      const pricing = { marginBps: 333, feeBps: 77, feeFixed, paymentCap: bob(1n) }
      const tenantId = await w.newWallet(usdt(0n), { pricing })
      const draft = anyQuoteDraft({ id: tenantId, pricing }, null)
      const lifeSeconds = fc.integer({ min: 15, max: 300 })
      await fc.assert(
        fc.asyncProperty(draft, lifeSeconds, async (draft, lifeSeconds) => {
          const quote = await w.quotes.insert(draft, lifeSeconds, null)
          if (typeof quote === 'string') throw new Error(quote)
          const { createdAt, expiresAt, ...rest } = quote
          expect(rest).toEqual(draft)
          expect(expiresAt.getTime() - createdAt.getTime()).toBe(lifeSeconds * 1000)
          expect(Number.isInteger(createdAt.getTime())).toBe(true)
          const view = await w.quotes.find(tenantId, quote.id)
          expect(view).toEqual({ quote, status: 'open', payoutId: null })
        }),
        { numRuns: runs },
      )
    })

    test('dates and expires quotes by the store’s clock', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const first = await w.newQuote(tenantId, { lifeSeconds: 300 })
      await w.advance(200)
      const second = await w.newQuote(tenantId, { lifeSeconds: 300 })
      const apart = second.createdAt.getTime() - first.createdAt.getTime()
      expect(apart).toBeGreaterThanOrEqual(200_000)
      expect((await w.quotes.find(tenantId, first.id))?.status).toBe('open')
      await w.advance(110)
      expect((await w.quotes.find(tenantId, first.id))?.status).toBe('expired')
      expect((await w.quotes.find(tenantId, second.id))?.status).toBe('open')
    })

    test('a used quote stays used after its expiry', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId, { source: usdt(10n), lifeSeconds: 100 })
      const { id: payoutId } = await w.newPayout(quote)
      await w.advance(200)
      expect(await w.quotes.find(tenantId, quote.id)).toEqual({ quote, status: 'used', payoutId })
    })

    test.each([
      ['target', { target: bob(0n) }],
      ['target', { target: bob(-1n) }],
      ['source', { source: usdt(0n), principal: usdt(0n) }],
      ['source', { source: usdt(-5n), principal: usdt(-5n), target: bob(-1n) }],
    ])('stores no quote whose %s is not above 0', async (_, over) => {
      const tenantId = await w.newWallet(usdt(0n))
      const { createdAt: _at, expiresAt: _until, ...made } = await w.newQuote(tenantId)
      const draft = { ...made, ...over, id: w.ids.uuid(someInstant) }
      await expect(w.quotes.insert(draft, 60, null)).rejects.toThrow()
      expect(await w.quotes.find(tenantId, draft.id)).toBeUndefined()
    })

    test('finds neither another tenant’s quote nor an unknown one', async () => {
      const [owner, otherTenant] = [await w.newWallet(usdt(0n)), await w.newWallet(usdt(0n))]
      const quote = await w.newQuote(owner)
      expect(await w.quotes.find(otherTenant, quote.id)).toBeUndefined()
      expect(await w.quotes.find(owner, w.ids.uuid(someInstant))).toBeUndefined()
    })
  })
}
