import { expect, test } from 'vitest'
import { formatIn } from './browser/text/format.ts'
import { axisLabels } from './browser/ui/axis-labels.ts'

const noon = Date.UTC(2026, 10, 20, 12) / 1000
const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

test.each([
  ['en', 'America/La_Paz', ['GMT-4', '08:00', '08:30'], ['0.00', '0.25', '0.50'], ['0', '500,000', '1,000,000']],
  ['es', 'America/La_Paz', ['BOT', '08:00', '08:30'], ['0,00', '0,25', '0,50'], ['0', '500.000', '1.000.000']],
  ['en', 'UTC', ['UTC', '12:00', '12:30'], ['0.00', '0.25', '0.50'], ['0', '500,000', '1,000,000']],
  ['es', 'UTC', ['UTC', '12:00', '12:30'], ['0,00', '0,25', '0,50'], ['0', '500.000', '1.000.000']],
] as const)('axes in %s and %s', (language, zone, ofTime, ofFractions, ofWholes) => {
  const format = formatIn(language, zone)
  const nameOf = (seconds: number): string => format.hourAndMinute(isoOf(seconds))
  const [time, values] = axisLabels({ nameOf, zone: format.zone(isoOf(noon)), unit: 'BOB' }, format)
  expect([time.label, ...time.values(null, [noon, noon + 1_800])]).toEqual(ofTime)
  expect(values.label).toBe('BOB')
  expect(values.values(null, [0, 0.25, 0.5])).toEqual(ofFractions)
  expect(values.values(null, [0, 500_000, 1_000_000])).toEqual(ofWholes)
})
