import { addMoney, type Bob, expectPositive, MAX_MINOR, type Usdt, usdt } from '../money.ts'
import { expectBigint } from '../wrong-value.ts'
import type { Pricing } from '../tenant/tenant.ts'
import { type Rate, rate } from './rate.ts'

/** The price of paying `target`. */
export type QuotePrice = {
  /** The tenant's rate, in BOB per USDT: the bid less the margin. */
  readonly rate: Rate
  readonly target: Bob
  readonly principal: Usdt
  readonly fee: Usdt
  /** `principal + fee`: the amount that the payment debits. */
  readonly source: Usdt
}

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/**
 * The price of paying `target`, rounded in the operator's favour by less than one minor unit.
 *
 *     rate      = floor4(bid × (10000 − margin_bps) / 10000)
 *     principal = ceil6(target / rate)
 *     fee       = ceil6(principal × fee_bps / 10000) + fee_fixed
 *
 * SQL decides it again: `fits_pricing` and `insert_quotes` in packages/postgres/migrations/0003-quotes.sql. A test of random
 * prices holds the two together. The ledger check has the rule once more, on purpose apart from both: `payout_differences`
 * in 0020-ledger-differences.sql.
 *
 * @source the relation is assumed: the specification shows rate, fee and amounts alone
 * @throws TypeError when the target is not positive, or the bid no bigint
 * @returns `no_rate` when the rate is zero, `too_large` when `source` exceeds `MAX_MINOR`
 */
export function quotePrice(
  target: Bob,
  bid: Rate,
  pricing: Pick<Pricing, 'marginBps' | 'feeBps' | 'feeFixed'>,
): QuotePrice | 'no_rate' | 'too_large' {
  expectPositive('quotePrice', target)
  expectBigint('quotePrice', 'ten-thousandths of a BOB', bid)
  const tenantRate = rate((bid * BigInt(10_000 - pricing.marginBps)) / 10_000n)
  if (tenantRate <= 0n) return 'no_rate'
  // centavos × 10⁴ (USDT over BOB exponent) × 10⁴ (the rate's own) is micro-USDT
  const principal = usdt(ceilDivide(target.minor * 10n ** 8n, tenantRate))
  const share = usdt(ceilDivide(principal.minor * BigInt(pricing.feeBps), 10_000n))
  const fee = addMoney(share, pricing.feeFixed)
  const source = addMoney(principal, fee)
  return source.minor > MAX_MINOR ? 'too_large' : { rate: tenantRate, target, principal, fee, source }
}
