import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('a second of turns may be taken at once, and then one at a time', () => {
  const pace = createPace(4, () => 0)
  expect(Array.from({ length: 7 }, () => pace.take())).toEqual([0, 0, 0, 0, 250, 500, 750])
})

test('turns that nobody took do not pile up', () => {
  let now = 0
  const pace = createPace(2, () => now)
  now = 3_600_000
  expect([pace.take(), pace.take(), pace.take()]).toEqual([0, 0, 500])
})

test('nobody has a turn while the provider wants rest', () => {
  let now = 0
  const pace = createPace(2, () => now)
  pace.holdOff(3_000)
  expect([pace.take(), pace.take()]).toEqual([3_000, 3_500])
  now = 10_000
  expect(pace.take()).toBe(0)
})

test('no span of time sees more turns than it allows, and a second of them at once', () => {
  const gaps = fc.array(fc.nat(400), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 50, noNaN: true }), gaps, (perSecond, gaps) => {
      let now = 0
      const pace = createPace(perSecond, () => now)
      const turns = gaps.map((gap) => {
        now += gap
        return now + pace.take()
      })
      for (const [i, from] of turns.entries())
        for (const [j, to] of turns.slice(i).entries())
          expect(j).toBeLessThanOrEqual(((to - from) / 1_000) * perSecond + perSecond + 1e-6)
    }),
  )
})

test.each([0, -1, Number.NaN])('%d requests a second are none', (perSecond) => {
  expect(() => createPace(perSecond, () => 0)).toThrow(RangeError)
})
