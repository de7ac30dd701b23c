import fc from 'fast-check'
import { expect, test } from 'vitest'
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

test('throws for an invalid date', () => {
  expect(() => isoText(new Date(NaN))).toThrow(RangeError)
})
