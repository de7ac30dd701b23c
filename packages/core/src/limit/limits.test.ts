import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import {
  defaultPaymentCap,
  defaultUnapprovedLimits,
  type Limits,
  limitsOf,
  needsTwoToRaise,
  raisedLimits,
} from './limits.ts'
import { tenant } from '../tenant/tenant.fixture.ts'

// Small numbers, so that limits are often equal.
const anyMinor = fc.bigInt({ min: 0n, max: 3n })
const anyLimits: fc.Arbitrary<Limits> = fc.record({
  paymentCap: anyMinor.map(bob),
  amount: fc.option(anyMinor.map(usdt)),
  count: fc.option(fc.nat({ max: 3 })),
})

/** No limit is above every other. */
const rankOf = (limit: Limits[keyof Limits]): number =>
  limit === null ? Infinity : Number(typeof limit === 'number' ? limit : limit.minor)

const names = ['paymentCap', 'amount', 'count'] as const

test('the raised limits are those that are above the ones before', () => {
  fc.assert(
    fc.property(anyLimits, anyLimits, (before, after) => {
      const raised = names.filter((name) => rankOf(after[name]) > rankOf(before[name]))
      expect(raisedLimits(before, after)).toEqual(Object.fromEntries(raised.map((name) => [name, after[name]])))
    }),
  )
})

test('a raised count, and a limit above those of one person, need a second person', () => {
  const unapproved = fc.record({ paymentCap: anyMinor.map(bob), amount: anyMinor.map(usdt) })
  const anyChange = fc
    .tuple(anyLimits, fc.subarray([...names]))
    .map(([limits, kept]) => ({
      ...(kept.includes('paymentCap') && { paymentCap: limits.paymentCap }),
      ...(kept.includes('amount') && { amount: limits.amount }),
      ...(kept.includes('count') && { count: limits.count }),
    }))
  fc.assert(
    fc.property(anyChange, unapproved, (change, alone) => {
      const { paymentCap, amount } = change
      const isCapAbove = paymentCap !== undefined && paymentCap.minor > alone.paymentCap.minor
      const isAmountAbove = amount !== undefined && rankOf(amount) > rankOf(alone.amount)
      expect(needsTwoToRaise(change, alone)).toBe('count' in change || isCapAbove || isAmountAbove)
    }),
  )
})

test('one person raises the cap to the default, and no daily amount', () => {
  expect(needsTwoToRaise({ paymentCap: defaultPaymentCap }, defaultUnapprovedLimits)).toBe(false)
  expect(needsTwoToRaise({ paymentCap: bob(defaultPaymentCap.minor + 1n) }, defaultUnapprovedLimits)).toBe(true)
  expect(needsTwoToRaise({ amount: usdt(1n) }, defaultUnapprovedLimits)).toBe(true)
})

test('the limits of a tenant are its cap and its daily limits', () => {
  const dailyLimits = { amount: usdt(7n), count: 2 }
  expect(limitsOf({ ...tenant, dailyLimits })).toEqual({
    paymentCap: tenant.pricing.paymentCap,
    amount: usdt(7n),
    count: 2,
  })
})
