import { expect, test } from 'vitest'
import { stillness } from './stillness.ts'

const minute = 60_000

test('a wait is over when nothing has moved for five minutes, however long it took before', () => {
  let now = 0
  const isOver = stillness(() => now)
  for (const state of ['3 left', '2 left', '1 left']) {
    expect(isOver(state)).toBe(false)
    now += 4 * minute
  }
  expect(isOver('1 left')).toBe(false)
  now += minute
  expect(isOver('1 left')).toBe(true)
})

test('a state that changes without end is over after a quarter of an hour', () => {
  let now = 0
  const isOver = stillness(() => now)
  for (; now < 15 * minute; now += minute) expect(isOver(String(now))).toBe(false)
  expect(isOver(String(now))).toBe(true)
})
