import { expect, test } from 'vitest'
import { statusDelaySeconds } from './schedule.ts'

test('the network is asked 2, 5, 10, 30 and 60 s after the owner gave up, then every 5 minutes', () => {
  const instants = []
  for (let asked = 0, at = 0; asked < 8; asked++) {
    at += statusDelaySeconds(asked)
    instants.push(at)
  }
  expect(instants).toEqual([2, 5, 10, 30, 60, 360, 660, 960])
})

test('it is asked for ever', () => {
  expect(statusDelaySeconds(100_000)).toBe(300)
})
