import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namedPeriod, timezones } from '../period/period.ts'
import { dayBefore, statementDayAt } from './statement.ts'

const anyInstant = fc.date({
  min: new Date('2000-01-01T00:00:00.000Z'),
  max: new Date('2200-01-01T00:00:00.000Z'),
  noInvalidDate: true,
})

test('every instant is in one day of each zone, and days are adjacent', () => {
  fc.assert(
    fc.property(anyInstant, fc.constantFrom(...timezones), (at, timezone) => {
      const day = statementDayAt(at, timezone)
      expect(day.from <= at && at < day.to).toBe(true)
      expect(namedPeriod(day.name, timezone)).toEqual(day)
      expect(dayBefore(day).to).toEqual(day.from)
      expect(statementDayAt(day.to, timezone)).not.toEqual(day)
    }),
  )
})
