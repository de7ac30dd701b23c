import { expect, test } from 'vitest'
import { statusDelaySeconds } from './schedule.ts'

test('status calls come 2, 5, 10, 30 and 60 s after the owner yielded, then every 5 minutes', () => {
  const instants = []
  for (let calls = 0, at = 0; calls < 8; calls++) {
    at += statusDelaySeconds(calls)
    instants.push(at)
  }
  expect(instants).toEqual([2, 5, 10, 30, 60, 360, 660, 960])
})

test('status calls never stop', () => {
  expect(statusDelaySeconds(100_000)).toBe(300)
})
