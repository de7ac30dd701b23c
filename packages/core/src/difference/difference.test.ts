import { describe, expect, test } from 'vitest'
import { type Bob, bob } from '../money.ts'
import { type DifferenceCheck, differenceStatus, type FoundDifference, isSameDifference } from './difference.ts'
import { closure, foundAt, openDifference } from './difference.fixture.ts'

test('a closed difference stays closed when it is gone; another one is open or gone', () => {
  expect(differenceStatus({ goneAt: null, closure: null })).toBe('open')
  expect(differenceStatus({ goneAt: foundAt, closure: null })).toBe('gone')
  expect(differenceStatus({ goneAt: null, closure })).toBe('closed')
  expect(differenceStatus({ goneAt: foundAt, closure })).toBe('closed')
})

type Seen = readonly [expected: Bob | null, found: Bob | null, detail: string]

const differenceOf = (check: DifferenceCheck, [expected, found, detail]: Seen): FoundDifference => {
  return { ...openDifference, check, expected, found, detail }
}
const isSame = (first: Seen, again: Seen, check: DifferenceCheck = 'network'): boolean =>
  isSameDifference(differenceOf(check, first), differenceOf(check, again))

describe('a difference that is seen again is unchanged', () => {
  test('by the same amount, whatever its detail, also when both amounts have moved', () => {
    const first: Seen = [bob(100n), bob(103n), 'one']
    expect(isSame(first, [bob(100n), bob(103n), 'other'])).toBe(true)
    expect(isSame(first, [bob(200n), bob(203n), 'one'])).toBe(true)
    expect(isSame(first, [bob(100n), bob(104n), 'one'])).toBe(false)
    expect(isSame(first, [bob(103n), bob(100n), 'one'])).toBe(false)
  })

  test.each<[string, Seen]>([
    ['nothing is expected', [null, bob(103n), 'one']],
    ['nothing is found', [bob(100n), null, 'one']],
    ['there is no amount', [null, null, 'one']],
  ])('by its detail when %s, before or now', (_, [expected, found]) => {
    const both: Seen = [bob(100n), bob(103n), 'one']
    expect(isSame([expected, found, 'one'], both)).toBe(true)
    expect(isSame([expected, found, 'other'], both)).toBe(false)
    expect(isSame(both, [expected, found, 'one'])).toBe(true)
    expect(isSame(both, [expected, found, 'other'])).toBe(false)
    expect(isSame([expected, found, 'one'], [expected, found, 'one'])).toBe(true)
    expect(isSame([expected, found, 'one'], [expected, found, 'other'])).toBe(false)
  })

  test('by whatever amount the liquidity is below its floor', () => {
    const first: Seen = [bob(100n), bob(90n), 'one']
    expect(isSame(first, [bob(100n), bob(1n), 'other'], 'liquidity')).toBe(true)
    expect(isSame(first, [bob(100n), null, 'other'], 'liquidity')).toBe(true)
    for (const check of ['ledger', 'audit', 'network', 'chain'] as const)
      expect(isSame(first, [bob(100n), bob(1n), 'other'], check)).toBe(false)
  })
})
