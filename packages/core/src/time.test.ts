import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isoText } from './time.ts'

test('equals toISOString, also from the cache', () => {
  fc.assert(
    fc.property(fc.array(fc.date({ noInvalidDate: true })), (dates) => {
      for (const at of [...dates, ...dates]) expect(isoText(at)).toBe(at.toISOString())
    }),
  )
})

test('is right beyond the cache’s size, and for a Date that was changed', () => {
  const at = new Date('2026-11-21T23:59:59.000Z')
  for (let i = 0; i < 5_000; i++) {
    at.setTime(at.getTime() + 1)
    expect(isoText(at)).toBe(at.toISOString())
  }
})

test('the cache holds 1,000 texts', () => {
  const format = vi.spyOn(Date.prototype, 'toISOString')
  onTestFinished(() => format.mockRestore())
  const kept = new Date('2027-01-01T00:00:00.000Z')
  let last = kept.getTime()
  const isFormatted = (at: Date): boolean => {
    format.mockClear()
    isoText(at)
    return format.mock.calls.length > 0
  }
  /** How many new instants drop the kept one from the cache; at most 3,000 are tried. */
  const untilDropped = (): number => {
    for (let added = 1; added <= 3_000; added++) {
      expect(isFormatted(new Date(++last))).toBe(true)
      if (isFormatted(kept)) return added
    }
    return Infinity
  }
  expect(isFormatted(kept)).toBe(true)
  expect(untilDropped()).toBeLessThanOrEqual(1_000)
  // The cache has the kept instant and the one that dropped it.
  expect(untilDropped()).toBe(999)
})

test('throws for an invalid date', () => {
  expect(() => isoText(new Date(NaN))).toThrow(RangeError)
})
