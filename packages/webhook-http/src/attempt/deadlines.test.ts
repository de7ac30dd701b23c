import { expect, onTestFinished, test, vi } from 'vitest'
import { newDeadlines } from './deadlines.ts'

function steppedDeadlines() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return newDeadlines()
}

test('each deadline ends at its own instant, whichever deadlines were added and deleted before', () => {
  const deadlines = steppedDeadlines()
  const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()]
  deadlines.add(1_000, first)
  vi.advanceTimersByTime(400)
  deadlines.add(1_000, second)
  vi.advanceTimersByTime(400)
  deadlines.add(1_000, third)
  deadlines.delete(1_000, first)
  vi.advanceTimersByTime(599)
  expect([first, second, third].map((onDeadline) => onDeadline.mock.calls.length)).toEqual([
    0, 0, 0,
  ])
  vi.advanceTimersByTime(1)
  expect([first, second, third].map((onDeadline) => onDeadline.mock.calls.length)).toEqual([
    0, 1, 0,
  ])
  vi.advanceTimersByTime(399)
  expect(third).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(third).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(10_000)
  expect([first, second, third].map((onDeadline) => onDeadline.mock.calls.length)).toEqual([
    0, 1, 1,
  ])
})

test('deadlines of different lengths are independent, and no timer is left when all are deleted', () => {
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

test('no deadline ends early, whatever fraction of a millisecond it started at', () => {
  const deadlines = steppedDeadlines()
  // 124,192.377 + 10,000 - 124,192.377 is below 10,000 in floating point.
  vi.spyOn(performance, 'now').mockReturnValue(124_192.377)
  const onDeadline = vi.fn()
  deadlines.add(10_000, onDeadline)
  vi.advanceTimersByTime(9_999)
  expect(onDeadline).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onDeadline).toHaveBeenCalledOnce()
})
