import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayBefore, statementDay, statementDayAt, statementStatus } from './statement.ts'

const anyInstant = fc.date({
  min: new Date('2000-01-01T00:00:00.000Z'),
  max: new Date('2200-01-01T00:00:00.000Z'),
  noInvalidDate: true,
})

test('every instant is in one day, and days are adjacent', () => {
  fc.assert(
    fc.property(anyInstant, (at) => {
      const day = statementDayAt(at)
      expect(day.start <= at && at < day.end).toBe(true)
      expect(statementDay(day.date)).toEqual(day)
      expect(dayBefore(day).end).toEqual(day.start)
      expect(statementDayAt(day.end)).not.toEqual(day)
    }),
  )
})

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-1-1',
  '26-01-01',
  '2026-11-20T00:00:00Z',
  '+002026-11-20',
  '+012026-11-20',
  '+012026-11',
  '-000001-11-20',
  '',
  'today',
])('%j is no date', (text) => {
  expect(statementDay(text)).toBeUndefined()
})

test('a day is open until ten minutes after its end', () => {
  const day = statementDayAt(new Date('2026-11-20T12:00:00.000Z'))
  expect(statementStatus(day, new Date('2026-11-21T00:09:59.999Z'))).toBe('open')
  expect(statementStatus(day, new Date('2026-11-21T00:10:00.000Z'))).toBe('closed')
})
