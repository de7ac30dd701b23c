import { expect, test } from 'vitest'
import { createTimers } from './timers.ts'

test('a stepped clock runs due timers in order, and only at a tick', () => {
  let now = 0
  const timers = createTimers(() => new Date(now))
  const ran: string[] = []
  timers.after(20, () => ran.push('second'))
  timers.after(10, () => ran.push('first'))
  timers.after(21, () => ran.push('third'))
  now = 20
  expect(ran).toEqual([])
  timers.tick()
  expect(ran).toEqual(['first', 'second'])
  timers.tick()
  expect(ran).toEqual(['first', 'second'])
  now = 21
  timers.stop()
  timers.tick()
  expect(ran).toEqual(['first', 'second'])
})

test('real timers run without tick, and not after stop', async () => {
  const timers = createTimers()
  const ran: string[] = []
  const stopped = createTimers()
  stopped.after(1, () => ran.push('stopped'))
  stopped.stop()
  await timers.wait(5)
  expect(ran).toEqual([])
  const before = Date.now()
  const now = timers.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})
