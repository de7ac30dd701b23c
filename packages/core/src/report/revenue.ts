import { type Usdt, usdt } from '../money.ts'
import type { Quote } from '../quote/quote.ts'

/** The part of a quote that its revenue follows from. */
export type PricedQuote = Pick<Quote, 'target' | 'bid' | 'principal' | 'fee'>

/** The operator's earnings, in their two parts. */
export type Revenue = { readonly spread: Usdt; readonly fee: Usdt }

/**
 * The cost of `target` at the bid, rounded up once: the only rounding of a revenue, for SQL too, where it is
 * `quote_cost` of packages/postgres/migrations/0043-reports.sql. A test of random quotes holds the two together.
 */
const costOf = ({ target, bid }: PricedQuote): bigint => (target.minor * 10n ** 8n + bid - 1n) / bid

/**
 * The revenue of a completed payout, from the bid that its quote stored: `fee + floor6(principal − target / bid)`.
 *
 * @example
 * ```ts
 * const revenue = payoutRevenue({ target: bob(100_00n), bid: rate(99_500n), principal: usdt(10_203_353n), fee: usdt(151_017n) })
 * console.log(toDecimal(revenue.spread), toDecimal(revenue.fee)) // 0.153101 0.151017
 * ```
 */
export const payoutRevenue = (quote: PricedQuote): Revenue => ({
  spread: usdt(quote.principal.minor - costOf(quote)),
  fee: quote.fee,
})

/**
 * The part of a revenue that a refund of this amount undoes: the amount less what the payout cost at its bid, which
 * the network returned; the spread first, then the fee, and never more than the revenue.
 */
export function refundedRevenue(quote: PricedQuote, amount: Usdt): Revenue {
  const { spread, fee } = payoutRevenue(quote)
  const back = atLeastZero(amount.minor - costOf(quote))
  const ofSpread = least(back, spread.minor)
  return { spread: usdt(ofSpread), fee: usdt(least(back - ofSpread, fee.minor)) }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const atLeastZero = (a: bigint): bigint => (a < 0n ? 0n : a)
