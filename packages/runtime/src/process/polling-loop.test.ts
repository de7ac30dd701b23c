import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Timer } from '@quipu/core'
import { expect, test } from 'vitest'
import { pollingLoop } from './polling-loop.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A timer that waits for the test. */
function steps() {
  const waiting: (() => void)[] = []
  let cancelled = 0
  const timer: Timer = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return { done: promise, cancel: () => (cancelled += 1) }
  }
  return {
    timer,
    waiting,
    pass: () => waiting.shift()?.(),
    cancelled: () => cancelled,
  }
}

test('polls again at once after a pause of 0 ms, otherwise when the pause is over', async () => {
  const { timer, waiting, pass } = steps()
  const pauses = [0, 0, 5, 0, 5]
  let polls = 0
  const loop = pollingLoop(async () => pauses[polls++] ?? 5, timer)
  await turn()
  expect([polls, waiting.length]).toEqual([3, 1])
  pass()
  await turn()
  expect([polls, waiting.length]).toEqual([5, 1])
  await loop.stop()
})

test('a stop ends the pause and cancels its timer', async () => {
  const { timer, cancelled } = steps()
  let polls = 0
  const loop = pollingLoop(async () => ((polls += 1), 1_000), timer)
  await turn()
  await loop.stop()
  await turn()
  expect([polls, cancelled()]).toEqual([1, 1])
})

test('a stop during a poll resolves when that poll ends, without a pause', async () => {
  const { timer, waiting } = steps()
  const open = Promise.withResolvers<number>()
  const loop = pollingLoop(() => open.promise, timer)
  let isOver = false
  const ended = loop.stop().then(() => (isOver = true))
  await turn()
  expect(isOver).toBe(false)
  open.resolve(1_000)
  await ended
  expect(waiting).toEqual([])
})

test('a pause that is over can be garbage-collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kept: WeakRef<object>[] = []
  const timer: Timer = () => {
    const what = {}
    kept.push(new WeakRef(what))
    // A promise retains its value.
    return { done: Promise.resolve(what) as Promise<never>, cancel: () => undefined }
  }
  let polls = 0
  const open = Promise.withResolvers<number>()
  const loop = pollingLoop(async () => (++polls < 20 ? 1 : open.promise), timer)
  for (let n = 0; n < 100; n++) await turn()
  expect(polls).toBe(20)
  collect()
  expect(kept.filter((each) => each.deref() !== undefined)).toEqual([])
  open.resolve(1)
  await loop.stop()
})
