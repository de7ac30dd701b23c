import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import { quotePrice } from '../quote/price.ts'
import { rate } from '../quote/rate.ts'
import { payoutRevenue, refundedRevenue } from './revenue.ts'

const anyQuote = fc
  .record({
    target: fc.bigInt({ min: 1n, max: 10n ** 9n }).map(bob),
    bid: fc.bigInt({ min: 1n, max: 10n ** 7n }).map(rate),
    pricing: fc.record({
      marginBps: fc.integer({ min: 0, max: 5_000 }),
      feeBps: fc.integer({ min: 0, max: 5_000 }),
      feeFixed: fc.bigInt({ min: 0n, max: 10n ** 7n }).map(usdt),
    }),
  })
  .chain(({ target, bid, pricing }) => {
    const price = quotePrice(target, bid, pricing)
    return typeof price === 'string' ? fc.constant(undefined) : fc.constant({ ...price, bid })
  })
  .filter((quote) => quote !== undefined)

test('a revenue is fee + floor6(principal − target / bid), as rational numbers have it', () => {
  fc.assert(
    fc.property(anyQuote, (quote) => {
      const { spread, fee } = payoutRevenue(quote)
      // principal − target / bid, as a fraction over the bid: micro-USDT × bid.
      const exact = quote.principal.minor * quote.bid - quote.target.minor * 10n ** 8n
      expect(spread.minor * quote.bid <= exact && exact < (spread.minor + 1n) * quote.bid).toBe(true)
      expect(spread.minor).toBeGreaterThanOrEqual(0n)
      expect(fee).toEqual(quote.fee)
    }),
  )
})

test('a refund undoes the spread, then the fee, and never more than the revenue', () => {
  fc.assert(
    fc.property(anyQuote, fc.bigInt({ min: 1n, max: 2n ** 40n }), (quote, less) => {
      const revenue = payoutRevenue(quote)
      expect(refundedRevenue(quote, quote.source)).toEqual(revenue)
      expect(refundedRevenue(quote, quote.principal)).toEqual({ spread: revenue.spread, fee: usdt(0n) })
      const amount = usdt(quote.source.minor > less ? quote.source.minor - less : 1n)
      const { spread, fee } = refundedRevenue(quote, amount)
      const earned = revenue.spread.minor + revenue.fee.minor
      const kept = quote.source.minor - amount.minor
      expect(spread.minor + fee.minor).toBe(earned > kept ? earned - kept : 0n)
      expect(fee.minor === 0n || spread.minor === revenue.spread.minor).toBe(true)
    }),
  )
})
