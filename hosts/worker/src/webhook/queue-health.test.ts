import { expect, test } from 'vitest'
import { queueHealth } from './queue-health.ts'

test('is down for its pause after a failure, and not when the clock is put back', () => {
  let at = 3_600_000
  const health = queueHealth(() => new Date(at), 30_000)
  expect(health.isDown()).toBe(false)
  health.noteFailure()
  expect(health.isDown()).toBe(true)
  at += 30_000
  expect(health.isDown()).toBe(false)
  health.noteFailure()
  at = 0
  expect(health.isDown()).toBe(false)
})
