import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoText } from './time.ts'

test('an instant is written as dates write themselves, however often', () => {
  fc.assert(
    fc.property(fc.array(fc.date({ noInvalidDate: true })), (dates) => {
      for (const at of [...dates, ...dates]) expect(isoText(at)).toBe(at.toISOString())
    }),
  )
})

test('more instants than are remembered are all written right, and a date that was moved anew', () => {
  const at = new Date('2026-11-21T23:59:59.000Z')
  for (let i = 0; i < 5_000; i++) {
    at.setTime(at.getTime() + 1)
    expect(isoText(at)).toBe(at.toISOString())
  }
})

test('what is no date cannot be written', () => {
  expect(() => isoText(new Date(NaN))).toThrow(RangeError)
})
