import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

test('requests of one second can be a burst, later ones wait', () => {
  const pace = createRateLimiter(4, () => 0)
  expect(Array.from({ length: 7 }, () => pace.reserve())).toEqual([0, 0, 0, 0, 250, 500, 750])
})

test('unused requests do not accumulate beyond the burst', () => {
  let now = 0
  const pace = createRateLimiter(2, () => now)
  now = 3_600_000
  expect([pace.reserve(), pace.reserve(), pace.reserve()]).toEqual([0, 0, 500])
})

test('no request is due during a backoff', () => {
  let now = 0
  const pace = createRateLimiter(2, () => now)
  pace.backOff(3_000)
  expect([pace.reserve(), pace.reserve()]).toEqual([3_000, 3_500])
  now = 10_000
  expect(pace.reserve()).toBe(0)
})

test('no period has more requests than its rate plus one burst', () => {
  const gaps = fc.array(fc.nat(400), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 50, noNaN: true }), gaps, (perSecond, gaps) => {
      let now = 0
      const pace = createRateLimiter(perSecond, () => now)
      const turns = gaps.map((gap) => {
        now += gap
        return now + pace.reserve()
      })
      for (const [i, from] of turns.entries())
        for (const [j, to] of turns.slice(i).entries())
          expect(j).toBeLessThanOrEqual(((to - from) / 1_000) * perSecond + perSecond + 1e-6)
    }),
  )
})

test.each([0, -1, Number.NaN])('a rate of %d is refused', (perSecond) => {
  expect(() => createRateLimiter(perSecond, () => 0)).toThrow(RangeError)
})
