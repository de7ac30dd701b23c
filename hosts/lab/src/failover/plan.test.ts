import { expect, test } from 'vitest'
import { readOptions } from './options.ts'
import { planOf } from './plan.ts'

test('a plan is determined by its seed, and seeds cover loads, faults and lengths', () => {
  const plans = Array.from({ length: 32 }, (_, seed) => planOf(seed))
  expect(planOf(7)).toEqual(plans[7])
  const kinds = plans.map(({ load, fault, stallMs }) => `${load} ${fault} ${(stallMs ?? 0) > 9_000}`)
  expect(new Set(kinds).size).toBe(32)
})

test('an invalid option is refused by its name', () => {
  expect(readOptions(['--', '--runs', '3'])).toEqual({ runs: 3, seed: 0, parallel: 2 })
  expect(() => readOptions(['--parallel', '0'])).toThrow('--parallel must be a whole number from 1')
  expect(() => readOptions(['--run', '3'])).toThrow("'--run'")
})
