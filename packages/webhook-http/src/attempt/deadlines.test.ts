import { expect, onTestFinished, test, vi } from 'vitest'
import { newDeadlines } from './deadlines.ts'

function steppedDeadlines() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return newDeadlines()
}

test('each ends at its own instant, whichever began before and was deleted meanwhile', () => {
  const deadlines = steppedDeadlines()
  const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()]
  deadlines.add(1_000, first)
  vi.advanceTimersByTime(400)
  deadlines.add(1_000, second)
  vi.advanceTimersByTime(400)
  deadlines.add(1_000, third)
  deadlines.delete(1_000, first)
  vi.advanceTimersByTime(599)
  expect([first, second, third].map((late) => late.mock.calls.length)).toEqual([0, 0, 0])
  vi.advanceTimersByTime(1)
  expect([first, second, third].map((late) => late.mock.calls.length)).toEqual([0, 1, 0])
  vi.advanceTimersByTime(399)
  expect(third).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(third).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(10_000)
  expect([first, second, third].map((late) => late.mock.calls.length)).toEqual([0, 1, 1])
})

test('those that last longer are no later for it, and no timer is left when all are deleted', () => {
  const deadlines = steppedDeadlines()
  const [long, short] = [vi.fn(), vi.fn()]
  deadlines.add(10_000, long)
  deadlines.add(1_000, short)
  vi.advanceTimersByTime(1_000)
  expect(short).toHaveBeenCalledOnce()
  expect(long).not.toHaveBeenCalled()
  deadlines.delete(10_000, long)
  expect(vi.getTimerCount()).toBe(0)
})

test('never ends before its time, whatever fraction of a millisecond it began at', () => {
  const deadlines = steppedDeadlines()
  // 124,192.377 + 10,000 - 124,192.377 is below 10,000 in floating point.
  vi.spyOn(performance, 'now').mockReturnValue(124_192.377)
  const late = vi.fn()
  deadlines.add(10_000, late)
  vi.advanceTimersByTime(9_999)
  expect(late).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(late).toHaveBeenCalledOnce()
})
