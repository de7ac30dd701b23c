import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { sharedSlots } from './slots.ts'

test('a slot that is given goes to the taker that has waited longest, not to the one that asks first', () => {
  const slots = sharedSlots(['a'])
  const [holder, first, second] = [vi.fn(), vi.fn(), vi.fn()]
  expect([holder, first, second].map((taker) => slots.take(taker))).toEqual(['a', undefined, undefined])
  slots.give('a')
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0])
  expect(slots.take(holder)).toBeUndefined()
  expect(slots.take(first)).toBe('a')
  slots.give('a')
  expect(slots.take(second)).toBe('a')
})

test('what is kept for a taker that leaves goes to the next', () => {
  const slots = sharedSlots(['a'])
  const [holder, first, second] = [vi.fn(), vi.fn(), vi.fn()]
  for (const taker of [holder, first, second]) slots.take(taker)
  slots.give('a')
  slots.leave(first)
  expect(second).toHaveBeenCalledOnce()
  expect(slots.take(second)).toBe('a')
  slots.leave(holder)
  slots.give('a')
  expect([holder, first].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  expect(slots.freeCount()).toBe(1)
})

test('no slot is lost or held twice, and nobody waits while one is free', () => {
  const kinds = [0, 1, 2]
  const step = fc.record({ kind: fc.constantFrom(...kinds), does: fc.constantFrom('take', 'give', 'leave') })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
      const all = Array.from({ length: count }, (_, n) => n)
      const slots = sharedSlots(all)
      const held = kinds.map((): number[] => [])
      const called = new Set<number>()
      const takers = kinds.map((kind) => () => void called.add(kind))
      const waiting = new Set<number>()
      for (const { kind, does } of steps) {
        const [taker, own] = [takers[kind] ?? vi.fn(), held[kind] ?? []]
        if (does === 'take') {
          const slot = slots.take(taker)
          if (slot !== undefined) own.push(slot)
          else waiting.add(kind)
          called.delete(kind)
          if (slot !== undefined) waiting.delete(kind)
        } else if (does === 'leave') {
          slots.leave(taker)
          waiting.delete(kind)
        } else {
          const slot = own.pop()
          if (slot !== undefined) slots.give(slot)
        }
        const taken = held.flat()
        expect(new Set(taken).size).toBe(taken.length)
        expect(slots.freeCount()).toBeLessThanOrEqual(count - taken.length)
        if (slots.freeCount() > 0) expect([...waiting].filter((kind) => !called.has(kind))).toEqual([])
      }
      for (const [kind, taker] of takers.entries()) {
        for (const slot of held[kind]?.splice(0) ?? []) slots.give(slot)
        slots.leave(taker)
      }
      expect(slots.freeCount()).toBe(count)
    }),
  )
})
