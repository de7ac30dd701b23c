import { expect, test } from 'vitest'
import { systemRandom, systemTimer } from './system.ts'

test('random bytes do not repeat, also across pages', () => {
  const drawn = Array.from({ length: 2000 }, () => Buffer.from(systemRandom(10)).toString('hex'))
  expect(new Set(drawn).size).toBe(2000)
  expect(drawn.every((hex) => hex.length === 20)).toBe(true)
})

test('later calls do not change random bytes returned before', () => {
  const kept = systemRandom(16)
  const before = Buffer.from(kept).toString('hex')
  for (let i = 0; i < 2000; i++) systemRandom(16)
  expect(Buffer.from(kept).toString('hex')).toBe(before)
})

test('a timer ends after its time, and never when it was cancelled', async () => {
  const cancelled = systemTimer(0)
  cancelled.cancel()
  const ended: string[] = []
  void cancelled.done.then(() => ended.push('cancelled'))
  await systemTimer(5).done.then(() => ended.push('timer'))
  expect(ended).toEqual(['timer'])
})
