import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAt, daysOf, namedPeriod, type Period, periodBetween, periodStatus, timezones, zonedText } from './period.ts'

const anyZone = fc.constantFrom(...timezones)
const anyInstant = fc.date({
  min: new Date('2000-01-01T00:00:00.000Z'),
  max: new Date('2200-01-01T00:00:00.000Z'),
  noInvalidDate: true,
})

function expectTiled(period: Period): void {
  const days = daysOf(period)
  expect(days[0]?.from).toEqual(period.from)
  expect(days.at(-1)?.to).toEqual(period.to)
  for (const [n, day] of days.entries()) {
    expect(day.from < day.to).toBe(true)
    if (n > 0) expect(day.from).toEqual(days[n - 1]?.to)
    expect([day.from, new Date(day.to.getTime() - 1)].map((at) => dayAt(at, period.timezone))).toEqual([
      day.name,
      day.name,
    ])
  }
  expect(new Set(days.map(({ name }) => name)).size).toBe(days.length)
}

test('the days of a month tile it in both zones, each as its own name gives it', () => {
  fc.assert(
    fc.property(anyInstant, anyZone, (at, timezone) => {
      const month = namedPeriod(dayAt(at, timezone).slice(0, 7), timezone) as Period
      expect(month.from <= at && at < month.to).toBe(true)
      expectTiled(month)
      for (const day of daysOf(month)) expect(namedPeriod(day.name, timezone)).toEqual(day)
      expect(dayAt(month.to, timezone)).toMatch(/-01$/)
    }),
  )
})

test('the days of any period tile it, cut at its ends', () => {
  fc.assert(
    fc.property(anyInstant, fc.integer({ min: 1, max: 40 * 86_400_000 }), anyZone, (from, ms, timezone) => {
      expectTiled(periodBetween(from, new Date(from.getTime() + ms), timezone) as Period)
    }),
  )
})

test('an instant with its offset is the same instant', () => {
  fc.assert(
    fc.property(anyInstant, anyZone, (at, timezone) => {
      expect(new Date(zonedText(at, timezone))).toEqual(at)
      expect(zonedText(at, timezone).slice(0, 10)).toBe(dayAt(at, timezone))
    }),
  )
  expect(zonedText(new Date('2026-11-20T03:04:05.678Z'), 'America/La_Paz')).toBe('2026-11-19T23:04:05.678-04:00')
})

test.each([
  ['2026-11', 'UTC', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['2026-12', 'America/La_Paz', '2026-12-01T04:00:00.000Z', '2027-01-01T04:00:00.000Z'],
  ['2028-02-29', 'America/La_Paz', '2028-02-29T04:00:00.000Z', '2028-03-01T04:00:00.000Z'],
] as const)('%s in %s', (name, timezone, from, to) => {
  expect(namedPeriod(name, timezone)).toEqual({ name, from: new Date(from), to: new Date(to), timezone })
})

test.each(['2026', '2026-13', '2026-00', '2026-02-30', '2026-1-1', '+002026-11', '2026-11-20T00:00:00Z', '', 'today'])(
  '%j is no month or day',
  (name) => {
    for (const timezone of timezones) expect(namedPeriod(name, timezone)).toBeUndefined()
  },
)

test('a period between two instants has their names, and none ends where it begins', () => {
  const [from, to] = [new Date('2026-11-01T04:00:00Z'), new Date('2026-11-02T00:00:00Z')]
  expect(periodBetween(from, to, 'America/La_Paz')?.name).toBe(
    '2026-11-01T00:00:00.000-04:00/2026-11-01T20:00:00.000-04:00',
  )
  expect(periodBetween(to, to, 'UTC')).toBeUndefined()
  expect(periodBetween(to, from, 'UTC')).toBeUndefined()
})

test('a period is open until ten minutes after its end', () => {
  const day = namedPeriod('2026-11-20', 'America/La_Paz') as Period
  expect(periodStatus(day, new Date('2026-11-21T04:09:59.999Z'))).toBe('open')
  expect(periodStatus(day, new Date('2026-11-21T04:10:00.000Z'))).toBe('final')
})
