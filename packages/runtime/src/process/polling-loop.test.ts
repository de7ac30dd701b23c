import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Timer } from '@quipu/core'
import { expect, test } from 'vitest'
import { pollingLoop } from './polling-loop.ts'

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A timer whose pauses end when the test ends them. */
function manualTimer() {
  const waiting: (() => void)[] = []
  let cancelled = 0
  const timer: Timer = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return { done: promise, cancel: () => (cancelled += 1) }
  }
  return { timer, waiting, endPause: () => waiting.shift()?.(), cancelled: () => cancelled }
}

test('polls again at once after a pause of 0 ms, otherwise when the pause is over', async () => {
  const { timer, waiting, endPause } = manualTimer()
  const pauses = [0, 0, 5, 0, 5]
  let polls = 0
  const loop = pollingLoop(async () => pauses[polls++] ?? 5, timer)
  await macrotask()
  expect([polls, waiting.length]).toEqual([3, 1])
  endPause()
  await macrotask()
  expect([polls, waiting.length]).toEqual([5, 1])
  await loop.stop()
})

test('a stop ends the pause and cancels its timer', async () => {
  const { timer, cancelled } = manualTimer()
  let polls = 0
  const loop = pollingLoop(async () => ((polls += 1), 1_000), timer)
  await macrotask()
  await loop.stop()
  await macrotask()
  expect([polls, cancelled()]).toEqual([1, 1])
})

test('a stop during a poll resolves when that poll ends, without a pause', async () => {
  const { timer, waiting } = manualTimer()
  const open = Promise.withResolvers<number>()
  const loop = pollingLoop(() => open.promise, timer)
  let isOver = false
  const ended = loop.stop().then(() => (isOver = true))
  await macrotask()
  expect(isOver).toBe(false)
  open.resolve(1_000)
  await ended
  expect(waiting).toEqual([])
})

test('a past pause can be garbage-collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kept: WeakRef<object>[] = []
  const timer: Timer = () => {
    const value = {}
    kept.push(new WeakRef(value))
    // A promise retains its value.
    return { done: Promise.resolve(value) as Promise<never>, cancel: () => undefined }
  }
  let polls = 0
  const open = Promise.withResolvers<number>()
  const loop = pollingLoop(async () => (++polls < 20 ? 1 : open.promise), timer)
  for (let n = 0; n < 100; n++) await macrotask()
  expect(polls).toBe(20)
  collect()
  expect(kept.filter((each) => each.deref() !== undefined)).toEqual([])
  open.resolve(1)
  await loop.stop()
})
