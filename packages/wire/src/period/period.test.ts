import { namedPeriod, type Period } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { members } from '../json/fields.ts'
import { parseQuery } from '../json/query.ts'
import { onePeriod, periodMembers, periodParameters, periodToJson, readPeriod } from './period.ts'

const schema = members(periodParameters, 'in the query')

function parsePeriod(search: string) {
  const parsed = parseQuery(schema, search, onePeriod)
  return parsed.ok ? readPeriod(parsed.value) : parsed
}

test.each([
  ['period=2026-11', '2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['period=2026-11-20&timezone=America/La_Paz', '2026-11-20', '2026-11-20T04:00:00.000Z', '2026-11-21T04:00:00.000Z'],
  [
    'from=2026-11-01T00:00:00-04:00&to=2026-11-01T12:00:00.0001Z',
    '2026-11-01T04:00:00.000Z/2026-11-01T12:00:00.001Z',
    '2026-11-01T04:00:00.000Z',
    '2026-11-01T12:00:00.001Z',
  ],
])('reads %s', (search, name, from, to) => {
  expect(parsePeriod(search)).toMatchObject({ ok: true, value: { name, from: new Date(from), to: new Date(to) } })
})

const bounds = 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z'
test.each([
  ['', 'period', 'is required, or from and to are'],
  ['period=2026-13', 'period', 'must be a month or a day of the calendar, such as 2026-11 or 2026-11-20'],
  ['period=2026-11-31', 'period', 'must be a month or a day of the calendar, such as 2026-11 or 2026-11-20'],
  ['period=2026-11&to=2026-11-01T00:00:00Z', 'to', 'must be left out with period'],
  ['from=2026-11-01T00:00:00Z', 'to', 'is required with from'],
  ['to=2026-11-01T00:00:00Z', 'from', 'is required with to'],
  [bounds, 'from', 'must be before to'],
  ['from=2026-11-01T00:00:00.0001Z&to=2026-11-01T00:00:00.0002Z', 'from', 'must be before to'],
  ['from=2026-11-01&to=2026-11-02T00:00:00Z', 'from', expect.stringContaining('must be an ISO 8601 instant')],
  ['period=2026-11&timezone=EST', 'timezone', 'must be UTC or America/La_Paz'],
])('refuses %j and names the field', (search, field, message) => {
  expect(parsePeriod(search)).toEqual({ ok: false, issues: [{ field, message }] })
})

test('an answer states its period with the offset of its zone', () => {
  const json = periodToJson(namedPeriod('2026-11', 'America/La_Paz') as Period, new Date('2026-11-20T00:00:00Z'))
  expect(json).toEqual({
    period: '2026-11',
    from: '2026-11-01T00:00:00.000-04:00',
    to: '2026-12-01T00:00:00.000-04:00',
    timezone: 'America/La_Paz',
    status: 'open',
  })
  expect(z.object(periodMembers).parse(json)).toEqual(json)
})
