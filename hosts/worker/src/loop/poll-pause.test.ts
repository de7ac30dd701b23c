import { expect, test } from 'vitest'
import { pauseAfter, pauseAfterFailure } from './poll-pause.ts'

test('polling takes at most half of the time, and a tenth while it finds nothing', () => {
  expect(pauseAfter(20, 100, 1)).toBe(100)
  expect(pauseAfter(20, 100, 0)).toBe(900)
})

test('the pause after a cheap poll is the shortest pause', () => {
  expect(pauseAfter(20, 2, 0)).toBe(20)
  expect(pauseAfter(20, 2, 1)).toBe(20)
})

test('the pause after a failed poll is at least a second', () => {
  expect(pauseAfterFailure(20)).toBe(1_000)
  expect(pauseAfterFailure(5_000)).toBe(5_000)
})
