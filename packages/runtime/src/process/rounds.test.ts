import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Timer } from '@quipu/core'
import { expect, test } from 'vitest'
import { rounds } from './rounds.ts'

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

test('a round follows at once after a pause of 0, and otherwise when the pause is over', async () => {
  const { timer, waiting, pass } = steps()
  const pauses = [0, 0, 5, 0, 5]
  let played = 0
  const going = rounds(async () => pauses[played++] ?? 5, timer)
  await turn()
  expect([played, waiting.length]).toEqual([3, 1])
  pass()
  await turn()
  expect([played, waiting.length]).toEqual([5, 1])
  await going.stop()
})

test('it stops in mid-pause, and takes the timer down', async () => {
  const { timer, cancelled } = steps()
  let played = 0
  const going = rounds(async () => ((played += 1), 1_000), timer)
  await turn()
  await going.stop()
  await turn()
  expect([played, cancelled()]).toEqual([1, 1])
})

test('stopped in mid-round it ends with that round, without a pause', async () => {
  const { timer, waiting } = steps()
  const open = Promise.withResolvers<number>()
  const going = rounds(() => open.promise, timer)
  let isOver = false
  const ended = going.stop().then(() => (isOver = true))
  await turn()
  expect(isOver).toBe(false)
  open.resolve(1_000)
  await ended
  expect(waiting).toEqual([])
})

test('nothing of a pause that is over is kept', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kept: WeakRef<object>[] = []
  const timer: Timer = () => {
    const what = {}
    kept.push(new WeakRef(what))
    // What a promise was resolved with lives as long as the promise.
    return { done: Promise.resolve(what) as Promise<never>, cancel: () => undefined }
  }
  let played = 0
  const open = Promise.withResolvers<number>()
  const going = rounds(async () => (++played < 20 ? 1 : open.promise), timer)
  for (let n = 0; n < 100; n++) await turn()
  expect(played).toBe(20)
  collect()
  expect(kept.filter((each) => each.deref() !== undefined)).toEqual([])
  open.resolve(1)
  await going.stop()
})
