import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bob } from '../money.ts'
import { forecastLiquidity } from './forecast.ts'

const start = Date.parse('2026-11-01T00:30:00.000Z') // a Sunday
const after = (hours: number): Date => new Date(start + hours * 3_600_000)
/** Readings of every hour: from Monday to Friday 100.00 an hour between 12 and 20. */
const weeks = (from: bigint) => {
  let left = from
  return Array.from({ length: 24 * 14 + 1 }, (_, n) => {
    const at = after(n)
    const isBusy = at.getUTCDay() % 6 !== 0 && at.getUTCHours() >= 12 && at.getUTCHours() < 20
    if (n > 0 && isBusy) left -= 100_00n
    return { at, available: bob(left) }
  })
}

test('the end is forecast from the hours of the week', () => {
  const readings = weeks(100_000_00n)
  // 8,000.00 a fortnight were spent: 92,000.00 are left on Sunday the 15th; 500.00 end on Monday at 17 in UTC.
  const low = readings.map(({ at, available }) => ({ at, available: bob(available.minor - 91_500_00n) }))
  expect(forecastLiquidity(low, bob(250_00n), 0)).toMatchObject({
    belowFloorAt: new Date('2026-11-16T14:00:00.000Z'),
    runsOutAt: new Date('2026-11-16T17:00:00.000Z'),
  })
  const { slots, runsOutAt } = forecastLiquidity(readings, null, -4 * 3_600_000)
  expect(runsOutAt).toBeNull()
  const busy = slots.filter(({ spend }) => spend.minor > 0n)
  expect(busy).toHaveLength(40)
  expect(busy[0]).toEqual({ weekday: 1, hour: 8, hours: 2, spend: bob(100_00n) })
})

test('a rise is left out, and a gap is spread over its hours', () => {
  const readings = [
    { at: after(0), available: bob(100n) },
    { at: after(1), available: bob(5_000n) },
    { at: after(4), available: bob(4_990n) },
  ]
  const { slots } = forecastLiquidity(readings, null, 0)
  expect(slots.map(({ hour, spend }) => [hour, spend.minor])).toEqual([
    [2, 4n],
    [3, 3n],
    [4, 3n],
  ])
  expect(forecastLiquidity(readings.slice(0, 1), bob(1n), 0)).toEqual({
    slots: [],
    belowFloorAt: null,
    runsOutAt: null,
  })
  expect(forecastLiquidity([], null, 0).runsOutAt).toBeNull()
})

test('the floor is reached no later than the end, and the slots add up to what was spent', () => {
  const anyReadings = fc.array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 2, maxLength: 60 })
  fc.assert(
    fc.property(anyReadings, fc.bigInt({ min: 0n, max: 10_000n }), (spends, floor) => {
      let left = 10n ** 6n
      const readings = spends.map((spend, n) => ({ at: after(n), available: bob(n === 0 ? left : (left -= spend)) }))
      const { slots, belowFloorAt, runsOutAt } = forecastLiquidity(readings, bob(floor), 0)
      const total = slots.reduce((sum, { spend, hours }) => sum + spend.minor * BigInt(hours), 0n)
      expect(total).toBe(spends.slice(1).reduce((sum, spend) => sum + spend, 0n))
      if (runsOutAt) expect(belowFloorAt && belowFloorAt <= runsOutAt).toBe(true)
    }),
  )
})
