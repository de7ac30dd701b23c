import { expect, test } from 'vitest'
import { pauseAfter } from './poll-pause.ts'

test('asking takes half of the time at most, in vain a tenth, and a cheap question is asked as often as is set', () => {
  const now = performance.now()
  expect(pauseAfter(20, now, 0)).toBeLessThan(25)
  expect(pauseAfter(20, now - 100, 0)).toBeGreaterThanOrEqual(900)
  const found = pauseAfter(20, now - 100, 1)
  expect(found).toBeGreaterThanOrEqual(100)
  expect(found).toBeLessThan(900)
})
