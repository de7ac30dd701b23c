import type { Timer } from '@quipu/core'
import { expect, test } from 'vitest'
import { background } from './background.ts'

/** Never rings by itself. */
function patience(): { timer: Timer; ring: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { timer: () => ({ done: promise, cancel: () => undefined }), ring: resolve }
}

test('settles when the work is done, and the work that it started', async () => {
  const work = background(() => undefined, patience().timer)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  work.run(first.promise.then(() => work.run(second.promise)))
  const settled = work.settled(1000)
  first.resolve()
  second.resolve()
  expect(await settled).toBe(true)
})

test('gives up waiting when its time is over', async () => {
  const { timer, ring } = patience()
  const work = background(() => undefined, timer)
  work.run(new Promise(() => undefined))
  const settled = work.settled(1000)
  ring()
  expect(await settled).toBe(false)
})

test('work that fails is reported and counts as done', async () => {
  const reports: unknown[] = []
  const work = background((error) => reports.push(error), patience().timer)
  work.run(Promise.reject(new Error('late')))
  expect(await work.settled(1000)).toBe(true)
  expect(reports).toEqual([new Error('late')])
})
