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
