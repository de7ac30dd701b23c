import { expect, test } from 'vitest'
import { systemRandom, systemTimer } from './system.ts'

test('random bytes are never handed out twice, across pages', () => {
  const drawn = Array.from({ length: 2000 }, () => Buffer.from(systemRandom(10)).toString('hex'))
  expect(new Set(drawn).size).toBe(2000)
  expect(drawn.every((hex) => hex.length === 20)).toBe(true)
})

test('what was drawn stays as it was', () => {
  const kept = systemRandom(16)
  const before = Buffer.from(kept).toString('hex')
  for (let i = 0; i < 2000; i++) systemRandom(16)
  expect(Buffer.from(kept).toString('hex')).toBe(before)
})

test('a timer rings after its time, and never when it was called off', async () => {
  const cancelled = systemTimer(0)
  cancelled.cancel()
  const rung: string[] = []
  void cancelled.done.then(() => rung.push('cancelled'))
  await systemTimer(5).done.then(() => rung.push('rung'))
  expect(rung).toEqual(['rung'])
})
