import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bob, MAX_MINOR, parseMoney, toDecimal, usdt } from '../money.ts'
import { quotePrice } from './price.ts'
import { formatRate, parseRate, type Rate, rate as rateOf } from './rate.ts'

const targets = fc.bigInt({ min: 1n, max: 10n ** 14n - 1n }).map(bob)
const bids = fc.bigInt({ min: 1n, max: 10n ** 10n }).map(rateOf)
const pricings = fc.record({
  marginBps: fc.integer({ min: 0, max: 5000 }),
  feeBps: fc.integer({ min: 0, max: 5000 }),
  feeFixed: fc.bigInt({ min: 0n, max: 10n ** 9n }).map(usdt),
})

describe('the price of a payment', () => {
  test.each([
    ['9.9500', 150, 0, '0', '100.00', '9.8007', '10.203353', '0.000000', '10.203353'],
    ['9.9500', 150, 50, '0.10', '100.00', '9.8007', '10.203353', '0.151017', '10.354370'],
    ['9.9500', 150, 0, '0', '0.01', '9.8007', '0.001021', '0.000000', '0.001021'],
    ['10.0937', 80, 0, '0', '50000.00', '10.0129', '4993.558310', '0.000000', '4993.558310'],
    ['9.9500', 0, 0, '0', '9.95', '9.9500', '1.000000', '0.000000', '1.000000'],
  ])(
    'bid %s, %i bps, fee %i bps + %s: BOB %s',
    (bid, marginBps, feeBps, fixed, target, rate, principal, fee, source) => {
      const feeFixed = parseMoney('USDT', fixed) ?? usdt(-1n)
      const priced = quotePrice(parseMoney('BOB', target) ?? bob(0n), parseRate(bid) ?? rateOf(0n), {
        marginBps,
        feeBps,
        feeFixed,
      })
      if (typeof priced === 'string') throw new Error(priced)
      expect(formatRate(priced.rate)).toBe(rate)
      expect(toDecimal(priced.principal)).toBe(principal)
      expect(toDecimal(priced.fee)).toBe(fee)
      expect(toDecimal(priced.source)).toBe(source)
    },
  )

  test('covers the target, and exceeds it by less than one micro-USDT', () => {
    fc.assert(
      fc.property(targets, bids, pricings, (target, bid, pricing) => {
        const priced = quotePrice(target, bid, pricing)
        if (typeof priced === 'string') return
        const { rate, principal } = priced
        // micro-USDT × rate × 10⁻⁴ is BOB × 10⁶; a centavo is 10⁴ of that
        expect(principal.minor * rate >= target.minor * 10n ** 8n).toBe(true)
        expect((principal.minor - 1n) * rate < target.minor * 10n ** 8n).toBe(true)
        expect(priced.source.minor * bid >= target.minor * 10n ** 8n).toBe(true)
      }),
    )
  })

  test('source is principal plus fee, and fee is the rounded-up share plus the fixed part', () => {
    fc.assert(
      fc.property(targets, bids, pricings, (target, bid, pricing) => {
        const priced = quotePrice(target, bid, pricing)
        if (typeof priced === 'string') return
        const { principal, fee, source } = priced
        const share = fee.minor - pricing.feeFixed.minor
        expect(source.minor).toBe(principal.minor + fee.minor)
        expect(share * 10_000n >= principal.minor * BigInt(pricing.feeBps)).toBe(true)
        expect((share - 1n) * 10_000n < principal.minor * BigInt(pricing.feeBps)).toBe(true)
      }),
    )
  })

  test('a rate of zero gives no price', () => {
    expect(quotePrice(bob(1n), rateOf(1n), { marginBps: 1, feeBps: 0, feeFixed: usdt(0n) })).toBe('no_rate')
    expect(quotePrice(bob(1n), rateOf(0n), { marginBps: 0, feeBps: 0, feeFixed: usdt(0n) })).toBe('no_rate')
  })

  test('a price above MAX_MINOR is refused', () => {
    const free = { marginBps: 0, feeBps: 0, feeFixed: usdt(0n) }
    expect(quotePrice(bob(10n ** 14n), rateOf(1n), free)).toBe('too_large')
    const one = { ...free, feeFixed: usdt(MAX_MINOR - 1_000_000n) } // BOB 1.00 at 1 is 1 USDT.
    expect(quotePrice(bob(100n), rateOf(10_000n), one)).toMatchObject({ source: usdt(MAX_MINOR) })
    const more = { ...free, feeFixed: usdt(MAX_MINOR - 999_999n) }
    expect(quotePrice(bob(100n), rateOf(10_000n), more)).toBe('too_large')
    fc.assert(
      fc.property(targets, bids, pricings, (target, bid, pricing) => {
        const priced = quotePrice(target, bid, pricing)
        if (typeof priced !== 'string') expect(priced.source.minor <= MAX_MINOR).toBe(true)
      }),
    )
  })
})

describe('rates', () => {
  test('a bigint of other digits is no rate: 9.95 as 995n would price a hundred times too high', () => {
    // @ts-expect-error a bare bigint, which `rate` or `parseRate` has not made
    const wrong: Rate = 995n
    expect(formatRate(wrong)).toBe('0.0995')
    expect(() => rateOf(9.95 as never)).toThrow('rate: expected a bigint of ten-thousandths of a BOB')
  })

  test.each([
    ['9.95', 99_500n],
    ['9.95009', 99_500n],
    ['10', 100_000n],
    ['0.0001', 1n],
    ['0.00009', 0n],
  ])('%s is parsed as %s, never rounded up', (text, rate) => {
    expect(parseRate(text)).toBe(rate)
  })

  test.each(['', '-1', '1e1', '.5', '1.', '01', ' 1', 'NaN', '1234567'])('%j is not a rate', (text) => {
    expect(parseRate(text)).toBeUndefined()
  })

  test('spec §2: a rate has four fraction digits', () => {
    expect(formatRate(rateOf(98_007n))).toBe('9.8007')
    expect(formatRate(rateOf(1n))).toBe('0.0001')
    fc.assert(
      fc.property(bids, (rate) => {
        const text = formatRate(rate)
        expect(text).toMatch(/^\d+\.\d{4}$/)
        if (rate < 10n ** 10n) expect(parseRate(text)).toBe(rate)
      }),
    )
  })
})
