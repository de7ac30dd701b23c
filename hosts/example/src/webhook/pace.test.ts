import { expect, test } from 'vitest'
import { pace } from './pace.ts'

test('an event of a name is allowed again after the interval, each name on its own', () => {
  let at = 0
  const { waitMs, take } = pace(5, () => new Date(at))
  take('a')
  expect([waitMs('a'), waitMs('b')]).toEqual([200, 0])
  at = 150
  expect(waitMs('a')).toBe(50)
  at = 200
  expect(waitMs('a')).toBe(0)
})

test('setting the clock back does not prolong a wait', () => {
  let at = 3_600_000
  const { waitMs, take } = pace(1, () => new Date(at))
  take('a')
  at = 0
  expect(waitMs('a')).toBe(0)
  take('a')
  expect(waitMs('a')).toBe(1_000)
})
