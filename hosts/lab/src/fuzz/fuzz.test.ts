import { expect, test } from 'vitest'
import { fuzzServer } from './fuzz.ts'

test('requests made from the documents get answers that the documents describe, and money is conserved', async () => {
  const { faults, accepted } = await fuzzServer('api', 1_000, 25)
  expect(faults.slice(0, 20)).toEqual([])
  // Fewer would say that requests no longer reach what they are for.
  expect(accepted.size).toBeGreaterThan(60)
})

test('the example server answers as its document says', async () => {
  const { faults, accepted } = await fuzzServer('example', 500, 25)
  expect(faults.slice(0, 20)).toEqual([])
  expect(accepted.size).toBeGreaterThan(12)
})
