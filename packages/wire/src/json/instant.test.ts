import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ceilToMs, compareInstants, floorToMs, instantToJson, parseInstant } from './instant.ts'

const utc = (text: string): string | undefined => {
  const at = parseInstant(text)
  return at && floorToMs(at).toISOString()
}

test('reads an instant with any zone, with or without seconds and fraction', () => {
  const same = '2026-11-20T15:04:00.000Z'
  for (const text of [
    '2026-11-20T15:04:00.000Z',
    '2026-11-20T15:04:00Z',
    '2026-11-20T15:04Z',
    '2026-11-20T15:04:00+00:00',
    '2026-11-20T11:04:00-04:00',
    '2026-11-20T11:04:00-0400',
    '2026-11-20T11:04-04',
    '2026-11-21T05:34:00.0+14:30',
    '2026-11-21T15:03:00+23:59',
    '2026-11-19T15:05:00-23:59',
  ])
    expect(utc(text), text).toBe(same)
})

test('refuses an instant without a zone', () => {
  for (const text of ['2026-11-20T15:04:05', '2026-11-20T15:04:05.000', '2026-11-20', '1763650000'])
    expect(parseInstant(text), text).toBeUndefined()
})

test('refuses other spellings', () => {
  for (const text of [
    '',
    ' 2026-11-20T15:04:05Z',
    '2026-11-20T15:04:05Z ',
    '2026-11-20T15:04:05Z\n',
    '2026-11-20 15:04:05Z',
    '2026-11-20T15:04:05 05:00',
    '2026-11-20t15:04:05z',
    '2026-11-20T15:04:05.Z',
    '2026-11-20T15:04:05.1234567890Z',
    '2026-11-20T15:04:05,5Z',
    '20261120T150405Z',
    '2026-11-20T15Z',
    '+002026-11-20T15:04:05Z',
    '2026-W47-5T15:04:05Z',
    '٢٠٢٦-11-20T15:04:05Z',
  ])
    expect(parseInstant(text), text).toBeUndefined()
})

test('refuses instants that do not exist in the calendar', () => {
  for (const text of [
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-99T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
  ])
    expect(parseInstant(text), text).toBeUndefined()
  for (const text of ['2024-02-29T00:00:00Z', '2000-02-29T00:00:00Z', '2026-12-31T23:59:59Z'])
    expect(parseInstant(text), text).toBeDefined()
})

test('accepts the years 1 to 9999 in UTC', () => {
  expect(utc('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z')
  expect(utc('9999-12-31T23:59:59.999Z')).toBe('9999-12-31T23:59:59.999Z')
  for (const text of ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])
    expect(parseInstant(text), text).toBeUndefined()
})

test('parses every instant that it writes', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (at) => {
      expect(parseInstant(instantToJson(at))).toEqual({ ms: at.getTime(), rest: 0 })
    }),
  )
})

test('rounds the start of a period up and its end down to the millisecond', () => {
  const fine = parseInstant('2026-11-20T15:04:05.006000001Z')
  const whole = parseInstant('2026-11-20T15:04:05.006Z')
  if (!fine || !whole) throw new Error('both are instants')
  expect(ceilToMs(fine).toISOString()).toBe('2026-11-20T15:04:05.007Z')
  expect(floorToMs(fine).toISOString()).toBe('2026-11-20T15:04:05.006Z')
  expect(ceilToMs(whole)).toEqual(floorToMs(whole))
})

test('adds the fraction also before 1970', () => {
  const at = parseInstant('1969-12-31T23:59:59.9995Z')
  expect(at).toEqual({ ms: -1, rest: 500_000 })
})

test('compares to the nanosecond', () => {
  const [a, b] = ['2026-11-20T15:04:05.0061Z', '2026-11-20T15:04:05.0062Z'].map(parseInstant)
  if (!a || !b) throw new Error('both are instants')
  expect(compareInstants(a, b)).toBeLessThan(0)
  expect(compareInstants(b, a)).toBeGreaterThan(0)
  expect(compareInstants(a, a)).toBe(0)
})

test('spec §2: writes UTC with milliseconds and a Z', () => {
  expect(instantToJson(new Date(Date.UTC(2026, 0, 2, 3, 4, 5)))).toBe('2026-01-02T03:04:05.000Z')
})
