import { expect, test } from 'vitest'
import { planOf } from './plan.ts'

test('a plan is determined by its seed, and seeds cover loads, faults and lengths', () => {
  const plans = Array.from({ length: 32 }, (_, seed) => planOf(seed))
  expect(planOf(7)).toEqual(plans[7])
  const kinds = plans.map(({ load, fault, stallMs }) => `${load} ${fault} ${(stallMs ?? 0) > 9_000}`)
  expect(new Set(kinds).size).toBe(32)
})
