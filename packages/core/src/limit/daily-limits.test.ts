import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import {
  dailyUseAt,
  type DatedUse,
  giveBackUse,
  isWithinDailyLimits,
  noDailyLimits,
  noDailyUse,
  useDailyLimits,
  utcDay,
} from './daily-limits.ts'

const unused: DatedUse = { ...noDailyUse, day: '' }
const at = (text: string): Date => new Date(text)

test('a day begins at midnight UTC', () => {
  expect(utcDay(at('2026-03-04T23:59:59.999Z'))).toBe('2026-03-04')
  expect(utcDay(at('2026-03-04T23:00:00-04:00'))).toBe('2026-03-05')
})

test('a limit is reached, not exceeded, by a payout that uses the rest of it', () => {
  const used = { amount: usdt(90n), count: 4 }
  for (const [limits, isWithin] of [
    [noDailyLimits, true],
    [{ amount: usdt(100n), count: 5 }, true],
    [{ amount: usdt(99n), count: null }, false],
    [{ amount: null, count: 4 }, false],
    [{ amount: usdt(100n), count: 4 }, false],
    [{ amount: usdt(99n), count: 5 }, false],
  ] as const)
    expect(isWithinDailyLimits(limits, used, usdt(10n))).toBe(isWithin)
})

test('a new day begins unused, and a clock that goes back stays in the later day', () => {
  const used = useDailyLimits(unused, usdt(7n), at('2026-03-05T00:00:00Z'))
  expect(dailyUseAt(used, at('2026-03-06T00:00:00Z'))).toEqual(noDailyUse)
  expect(dailyUseAt(used, at('2026-03-04T23:59:59Z'))).toEqual({ amount: usdt(7n), count: 1 })
  const back = useDailyLimits(used, usdt(5n), at('2026-03-04T23:59:59Z'))
  expect(back).toEqual({ day: '2026-03-05', amount: usdt(12n), count: 2 })
})

const anyPayout = fc.record({
  hours: fc.nat(72),
  hold: fc.bigInt({ min: 1n, max: 1_000n }).map(usdt),
  isReleased: fc.boolean(),
})

test('the use is that of the newest day’s payouts that are not released, whenever the others end', () => {
  fc.assert(
    fc.property(fc.array(anyPayout, { minLength: 1 }), (payouts) => {
      const start = at('2026-03-04T12:00:00Z').getTime()
      const accepted = payouts
        .map((payout) => ({ ...payout, at: new Date(start + payout.hours * 3_600_000) }))
        .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      const used = accepted.reduce((use, { hold, at }) => useDailyLimits(use, hold, at), unused)
      const left = accepted
        .filter(({ isReleased }) => isReleased)
        .reduce((use, { hold, at }) => giveBackUse(use, hold, at), used)
      const kept = accepted.filter(({ at, isReleased }) => utcDay(at) === used.day && !isReleased)
      expect(left).toEqual({
        day: used.day,
        amount: usdt(kept.reduce((sum, { hold }) => sum + hold.minor, 0n)),
        count: kept.length,
      })
    }),
  )
})
