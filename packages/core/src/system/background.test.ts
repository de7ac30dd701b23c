import type { Timer } from '../index.ts'
import { expect, test } from 'vitest'
import { background } from './background.ts'

/** A timer that ends when the test ends it. */
function manualTimer(): { timer: Timer; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { timer: () => ({ done: promise, cancel: () => undefined }), end: resolve }
}

test('settled waits for the work, and for the work that it started', async () => {
  const work = background(() => undefined, manualTimer().timer)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  work.run(first.promise.then(() => work.run(second.promise)))
  const settled = work.settled(1000)
  first.resolve()
  second.resolve()
  expect(await settled).toBe(true)
})

test('settled resolves to false after its timeout', async () => {
  const { timer, end } = manualTimer()
  const work = background(() => undefined, timer)
  work.run(new Promise(() => undefined))
  const settled = work.settled(1000)
  end()
  expect(await settled).toBe(false)
})

test('failed work is reported and counts as ended', async () => {
  const reports: unknown[] = []
  const work = background((error) => reports.push(error), manualTimer().timer)
  work.run(Promise.reject(new Error('late')))
  expect(await work.settled(1000)).toBe(true)
  expect(reports).toEqual([new Error('late')])
})
