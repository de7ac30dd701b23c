import { expect, test } from 'vitest'
import { bob } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import { line, minute, payment } from './compare-statement.fixture.ts'
import type { PaymentRecord } from './ports.ts'
import { lineDifference } from './statement-differences.ts'

const marginMs = 5 * 60_000
const one = payment('po_1', 10, { created: 0 })

/** How a line about `po_1` differs from this payout. */
const differenceOf = (over: Partial<StatementRow>, payout: PaymentRecord | undefined = one, isRepeated = false) =>
  lineDifference(line('po_1', 1, over), payout, isRepeated, marginMs)

test.each([
  [-5.001, 'other_time'],
  [-5, undefined],
  [15, undefined],
  [15.001, 'other_time'],
])('a payment in minute %d of a payout that was open from 0 to 10: %s', (paidIn, kind) => {
  expect(differenceOf({ paidAt: minute(paidIn) })?.kind).toBe(kind)
})

test('a payout that people settled is compared with what they settled', () => {
  const settled = { ...one, settledPaid: bob(201_00n) }
  expect(differenceOf({ amount: bob(201_00n) }, settled)).toBeNull()
  expect(differenceOf({}, settled)).toMatchObject({ kind: 'other_amount', expected: bob(20100n), found: bob(10000n) })
})

test('a payout that names no payment was completed by any', () => {
  expect(differenceOf({ paymentId: 'np-2' }, { ...one, networkPaymentId: null })).toBeNull()
})
