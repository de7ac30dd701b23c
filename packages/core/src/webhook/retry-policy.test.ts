import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultRetryPolicy, nextRetry, retryDelayMs } from './retry-policy.ts'

test('spec §6.3, §8 — eight attempts: at once, then 30, 60, 120, 240, 480, 960 and 1,920 s after each failure', () => {
  const decisions = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => nextRetry(defaultRetryPolicy, attempt, 'TIMEOUT', 0))
  expect(decisions).toEqual([
    ...[30, 60, 120, 240, 480, 960, 1_920].map((s) => ({ type: 'retry', inMs: s * 1_000 })),
    { type: 'exhausted' },
  ])
})

test('spec §6.3 — the delay doubles up to 1 h, reached with more attempts', () => {
  const longer = { ...defaultRetryPolicy, attempts: 12 }
  const delays = [7, 8, 9, 10, 11].map((attempt) => retryDelayMs(longer, attempt, 0) / 1_000)
  expect(delays).toEqual([1_920, 3_600, 3_600, 3_600, 3_600])
  expect(nextRetry(longer, 11, 'STATUS', 0).type).toBe('retry')
  expect(nextRetry(longer, 12, 'STATUS', 0).type).toBe('exhausted')
})

test('jitter delays a retry by up to a tenth, and never makes it early', () => {
  const anyLot = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), anyLot, (attempt, lot) => {
      const [exact, put] = [
        retryDelayMs(defaultRetryPolicy, attempt, 0),
        retryDelayMs(defaultRetryPolicy, attempt, lot),
      ]
      expect(Number.isInteger(put)).toBe(true)
      expect(put).toBeGreaterThanOrEqual(exact)
      expect(put).toBeLessThanOrEqual(exact * 1.1)
    }),
  )
})

test('half of the jitter is a twentieth of the delay', () => {
  expect(retryDelayMs(defaultRetryPolicy, 1, 0.5)).toBe(31_500)
  expect(retryDelayMs(defaultRetryPolicy, 7, 0.5)).toBe(2_016_000)
})

test('an attempt without an error is a delivery, also the last one', () => {
  for (const attempt of [1, 8, 9])
    expect(nextRetry(defaultRetryPolicy, attempt, null, 0.5)).toEqual({ type: 'delivered' })
})
