import { expect, test } from 'vitest'
import { bob } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import { line, minute, payment } from './compare-statement.fixture.ts'
import type { PaymentRecord } from './ports.ts'
import { absentPayment, lineDifference } from './statement-differences.ts'

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

const paid = 'the network paid 100.00 BOB at 2026-11-20T10:01:00.000Z (payment np-po_1); '
const life = 'was created at 2026-11-20T10:00:00.000Z and completed at 2026-11-20T10:10:00.000Z'

test('the text of a difference has what the network paid, and what is known here', () => {
  const found = bob(100_00n)
  const about = { tenantId: 'ten_1', subject: 'po_1', expected: null, found }
  expect(lineDifference(line('po_1', 1), undefined, false, marginMs)).toEqual({
    ...about,
    kind: 'unknown_here',
    tenantId: null,
    detail: `${paid}no payout has this reference`,
  })
  expect(differenceOf({}, one, true)).toEqual({
    ...about,
    kind: 'paid_twice',
    detail: `${paid}an earlier line has the same reference`,
  })
  expect(differenceOf({}, { ...one, status: 'processing', endedAt: null })).toEqual({
    ...about,
    kind: 'not_completed',
    detail: `${paid}the payout is processing`,
  })
  expect(differenceOf({}, { ...one, networkPaymentId: 'np-2' })).toEqual({
    ...about,
    kind: 'paid_twice',
    detail: `${paid}the payout was completed by payment np-2`,
  })
  expect(differenceOf({}, { ...one, target: bob(99_00n) })).toEqual({
    ...about,
    kind: 'other_amount',
    expected: bob(9900n),
    detail: `${paid}the payout is of 99.00 BOB`,
  })
  expect(differenceOf({ paidAt: minute(20) })).toEqual({
    ...about,
    kind: 'other_time',
    expected: one.target,
    detail: `the network paid 100.00 BOB at 2026-11-20T10:20:00.000Z (payment np-po_1); the payout ${life}`,
  })
})

test('the text of a payout that the statement lacks has its amount and its life', () => {
  expect(absentPayment(one)).toEqual({
    kind: 'absent_there',
    tenantId: 'ten_1',
    subject: 'po_1',
    expected: one.target,
    found: null,
    detail: `the payout of 100.00 BOB ${life}; the statement has no payment for it`,
  })
})
