import { rate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agree } from './agreement.ts'

const rules = { maxSpreadBps: 200 }
const reading = (source: string, bid: bigint, second = 0): RateReading => ({
  bid: rate(bid),
  source,
  observedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
})

test('the result has the lowest bid, the oldest time, and all names', () => {
  const fresh = [reading('a', 100_000n, 3), reading('b', 99_500n, 2), reading('c', 99_900n, 1)]
  expect(agree(fresh, rules)).toEqual({ type: 'agreed', reading: reading('composite(a,b,c)', 99_500n, 1) })
})

test('bids agree up to a spread of 2 %, and not one basis point more', () => {
  const low = reading('a', 100_000n)
  expect(agree([low, reading('b', 102_000n)], rules)).toMatchObject({ type: 'agreed' })
  expect(agree([low, reading('b', 102_001n)], rules)).toEqual({ type: 'disagreement' })
})

test('one reading that disagrees is enough for a disagreement', () => {
  const two = [reading('a', 100_000n), reading('b', 100_100n)]
  expect(agree([...two, reading('c', 90_000n)], rules)).toEqual({ type: 'disagreement' })
  expect(agree([...two, reading('c', 110_000n)], rules)).toEqual({ type: 'disagreement' })
})

test('readings of one name count as one source', () => {
  expect(agree([], rules)).toEqual({ type: 'too_few' })
  expect(agree([reading('a', 100_000n)], rules)).toEqual({ type: 'too_few' })
  const twice = [reading('a', 100_000n), reading('a', 100_000n)]
  expect(agree(twice, rules)).toEqual({ type: 'too_few' })
})

test('the order of the sources changes only the name', () => {
  const some = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), bid: fc.bigInt(98_000n, 103_000n) }), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(some, (items) => {
      const fresh = items.map(({ name, bid }) => reading(name, bid))
      const [one, other] = [agree(fresh, rules), agree([...fresh].reverse(), rules)]
      expect(other.type).toBe(one.type)
      if (one.type === 'agreed' && other.type === 'agreed') {
        expect(other.reading.bid).toBe(one.reading.bid)
        expect(fresh.every(({ bid }) => one.reading.bid <= bid)).toBe(true)
        expect(fresh.every(({ bid }) => bid * 100n <= one.reading.bid * 102n)).toBe(true)
      }
    }),
  )
})
