import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstant } from './instant.ts'

test.each([
  ['1767225600', '2026-01-01T00:00:00.000Z'],
  ['1767225600.5', '2026-01-01T00:00:00.500Z'],
  ['1767225600123', '2026-01-01T00:00:00.123Z'],
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123Z'],
  ['2025-12-31T20:00:00-04:00', '2026-01-01T00:00:00.000Z'],
  ['2025-12-31T20:00:00-0400', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000Z'],
])('%s is %s', (text, instant) => {
  expect(parseInstant(text)?.toISOString()).toBe(instant)
})

test.each([
  [''],
  ['0'],
  ['-1767225600'],
  ['01767225600'],
  ['1.7672256e9'],
  ['0x69'],
  [' 1767225600'],
  ['123456789012345'],
  ['2026-01-01'],
  ['2026-01-01T00:00:00'],
  ['2026-01-01 00:00:00Z'],
  ['2026-13-01T00:00:00Z'],
  ['2026-01-01T25:00:00Z'],
  ['Thu, 01 Jan 2026 00:00:00 GMT'],
  ['now'],
])('%j is no instant', (text) => {
  expect(parseInstant(text)).toBeUndefined()
})

test('every instant of this century is parsed from seconds, milliseconds and ISO 8601', () => {
  const century = { min: new Date('2001-01-01'), max: new Date('2100-12-31'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(century), (at) => {
      expect(parseInstant(`${at.getTime()}`)).toEqual(at)
      expect(parseInstant(at.toISOString())).toEqual(at)
      const seconds = Math.floor(at.getTime() / 1000)
      expect(parseInstant(`${seconds}`)).toEqual(new Date(seconds * 1000))
    }),
  )
})
