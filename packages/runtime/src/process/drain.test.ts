import type { Timer } from '@quipu/core'
import { expect, test } from 'vitest'
import { drain } from './drain.ts'

/** Pauses that end when the test says so. */
function pauses() {
  const [lengths, ends]: [number[], (() => void)[]] = [[], []]
  const timer: Timer = (ms) => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    lengths.push(ms)
    ends.push(resolve)
    return { done, cancel: () => undefined }
  }
  return { lengths, timer, pass: () => ends.forEach((end) => end()) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a drain ends the readiness at once, notifies each listener, and lasts its seconds', async () => {
  const { lengths, timer, pass } = pauses()
  let [calls, isOver] = [0, false]
  const draining = drain({ seconds: 7, timer }, () => [{ drain: () => (calls += 1) }])
  expect([draining.isServing(), calls]).toEqual([true, 0])
  const begun = draining.begin().then(() => (isOver = true))
  await turn()
  expect({ isServing: draining.isServing(), calls, isOver }).toEqual({ isServing: false, calls: 1, isOver: false })
  const again = draining.begin()
  pass()
  await Promise.all([begun, again])
  expect({ lengths, calls }).toEqual({ lengths: [7_000], calls: 1 })
})

test('a drain of 0 seconds waits for no timer', async () => {
  const draining = drain({ seconds: 0, timer: pauses().timer }, () => [])
  await draining.begin()
  expect(draining.isServing()).toBe(false)
})
