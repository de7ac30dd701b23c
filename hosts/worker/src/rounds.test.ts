import { expect, test } from 'vitest'
import { pauseAfter } from './rounds.ts'

test('asking in vain takes a tenth of the time at most, and a cheap question is asked as often as is set', () => {
  const now = performance.now()
  expect(pauseAfter(20, now)).toBeLessThan(25)
  expect(pauseAfter(20, now - 100)).toBeGreaterThanOrEqual(900)
})
