import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { deadlineQueue, type QueuedDeadline } from './deadline-queue.ts'
import type { Timer } from './time.ts'

/** A clock that the test steps. Its timers lose fractions of a millisecond, like those of Node. */
function steppedClock(start = 0) {
  let at = start
  const waits = new Set<{ readonly due: number; readonly end: () => void }>()
  const timer: Timer = (ms) => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const wait = { due: at + Math.max(1, Math.floor(ms)), end: resolve }
    waits.add(wait)
    return { done, cancel: () => void waits.delete(wait) }
  }
  const step = async (ms: number): Promise<void> => {
    const end = at + ms
    for (;;) {
      const [next] = [...waits].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)
      if (next === undefined) break
      at = Math.max(at, next.due)
      waits.delete(next)
      next.end()
      await new Promise(setImmediate)
    }
    at = end
  }
  return { ports: { timer, monotonic: () => at }, step, timers: () => waits.size }
}

const callsOf = (expires: readonly ReturnType<typeof vi.fn>[]): readonly number[] =>
  expires.map(({ mock }) => mock.calls.length)

test('deadlines of one instant expire together, except one that another removes', async () => {
  const { ports, step } = steppedClock()
  const queue = deadlineQueue(ports, 1_000)
  const expires = [vi.fn(() => queue.remove(second)), vi.fn(), vi.fn()] as const
  queue.add(expires[0])
  const second = queue.add(expires[1])
  queue.add(expires[2])
  await step(1_000)
  expect(callsOf(expires)).toEqual([1, 0, 1])
})

test('a deadline that expires removes the only other one', async () => {
  const { ports, step, timers } = steppedClock()
  const queue = deadlineQueue(ports, 1_000)
  const expires = [vi.fn(() => queue.remove(second)), vi.fn()] as const
  queue.add(expires[0])
  const second = queue.add(expires[1])
  await step(1_000)
  expect(callsOf(expires)).toEqual([1, 0])
  expect(expires[0]).toHaveReturned()
  expect(timers()).toBe(0)
})

test('a timer that ended before it was cancelled starts no second one', async () => {
  const ends: (() => void)[] = []
  const timer: Timer = () => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    return { done, cancel: () => {} }
  }
  const queue = deadlineQueue({ timer, monotonic: () => 0 }, 1_000)
  const first = queue.add(() => expect.fail('it was removed'))
  ends[0]?.()
  queue.remove(first)
  queue.add(() => expect.fail('it is not due'))
  await new Promise(setImmediate)
  expect(ends).toHaveLength(2)
})

test('no deadline expires early, at any fraction of a millisecond', async () => {
  // 124,192.377 + 10,000 − 124,192.377 is below 10,000 in floating point.
  const { ports, step } = steppedClock(124_192.377)
  const expire = vi.fn(() => ports.monotonic())
  deadlineQueue(ports, 10_000).add(expire)
  await step(9_999)
  expect(expire).not.toHaveBeenCalled()
  await step(2)
  expect(expire).toHaveBeenCalledOnce()
  expect(expire.mock.results[0]?.value).toBeGreaterThanOrEqual(124_192.377 + 10_000)
})

test('resuming a deadline that is not paused changes nothing', async () => {
  const { ports, step } = steppedClock(500)
  const queue = deadlineQueue(ports, 1_000)
  const deadline = queue.add(() => {})
  await step(100)
  queue.resume(deadline)
  expect(queue.leftMs(deadline)).toBe(900)
  queue.pause(deadline)
  await step(100)
  queue.resume(deadline)
  queue.resume(deadline)
  expect(queue.leftMs(deadline)).toBe(900)
})

const lengthMs = 10
const call = fc.record({
  type: fc.constantFrom('add', 'step', 'remove', 'pause', 'resume'),
  /** Which deadline, or how many milliseconds. */
  n: fc.integer({ min: 0, max: 7 }),
})

test('deadlines expire when their length without pauses has passed, in any order of calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 60 }), async (calls) => {
      const { ports, step, timers } = steppedClock(1_000)
      const queue = deadlineQueue(ports, lengthMs)
      const expired: number[] = []
      const queued: QueuedDeadline[] = []
      const model: { leftMs: number; isPaused: boolean; isRemoved: boolean }[] = []
      const isPending = ({ leftMs, isRemoved }: (typeof model)[number]) => leftMs > 0 && !isRemoved
      for (const { type, n } of calls) {
        const [deadline, one] = [queued[n], model[n]]
        if (type === 'add') {
          const index = queued.length
          queued.push(queue.add(() => expired.push(index)))
          model.push({ leftMs: lengthMs, isPaused: false, isRemoved: false })
        } else if (type === 'step') {
          await step(n)
          for (const each of model) if (isPending(each) && !each.isPaused) each.leftMs -= n
        } else if (deadline && one && type === 'remove') {
          queue.remove(deadline)
          one.isRemoved ||= one.leftMs > 0
        } else if (deadline && one && one.isPaused === (type === 'resume')) {
          queue[type === 'resume' ? 'resume' : 'pause'](deadline)
          one.isPaused = !one.isPaused
        }
        const due = model.flatMap(({ leftMs, isRemoved }, i) => (leftMs > 0 || isRemoved ? [] : i))
        expect(expired.toSorted((a, b) => a - b)).toEqual(due)
        expect(timers()).toBe(model.some(isPending) ? 1 : 0)
      }
    }),
  )
})
