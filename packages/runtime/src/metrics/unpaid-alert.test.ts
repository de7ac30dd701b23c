import { expect, test } from 'vitest'
import type { Alert, PayoutErrorCode } from '@quipu/core'
import { unpaidAlert } from './unpaid-alert.ts'

function alertsAfter(...ends: readonly (readonly [count: number, code: PayoutErrorCode | null])[]) {
  const alerts: Alert[] = []
  const note = unpaidAlert((alert) => void alerts.push(alert))
  for (const [count, code] of ends) for (let each = 0; each < count; each++) note(code)
  return alerts.map(({ code, detail }) => `${code}: ${detail}`)
}

test('a network that refuses every payment is alerted at the tenth, once', () => {
  expect(alertsAfter([10, null], [9, 'PAYMENT_FAILED'])).toEqual([])
  expect(alertsAfter([10, null], [8, 'PAYMENT_FAILED'], [40, 'INSUFFICIENT_FUNDS'])).toEqual([
    'PAYOUTS_FAIL: of the last 20 ordered payouts 10 were not paid: 8 PAYMENT_FAILED, 2 INSUFFICIENT_FUNDS',
  ])
})

test('a third of the payouts is not alerted, however many they are', () => {
  const mixed = Array.from({ length: 100 }, (_, at) => [1, at % 3 === 0 ? 'PAYMENT_FAILED' : null] as const)
  expect(alertsAfter(...mixed)).toEqual([])
})

test('it is alerted again once most payouts were paid in between', () => {
  expect(alertsAfter([10, 'PAYMENT_CANCELLED'], [12, null], [5, 'PAYMENT_CANCELLED'])).toHaveLength(1)
  expect(alertsAfter([10, 'PAYMENT_CANCELLED'], [16, null], [10, 'PAYMENT_CANCELLED'])).toHaveLength(2)
})

test.each(['QUOTE_EXPIRED', 'INSUFFICIENT_BALANCE', 'QR_REFUSED', 'DAILY_LIMIT_EXCEEDED'] as const)(
  'a tenant whose payouts all end with %s alerts nobody, and hides no refusals of the network',
  (code) => {
    expect(alertsAfter([100, code])).toEqual([])
    expect(alertsAfter([9, 'PAYMENT_FAILED'], [100, code], [1, 'PAYMENT_FAILED'])).toHaveLength(1)
  },
)
