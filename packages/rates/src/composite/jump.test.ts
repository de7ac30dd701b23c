import { rate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { checkJump, type JumpState, noHistory } from './jump.ts'

const rules = { maxJumpBps: 300, windowSeconds: 300 }
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const reading = (bid: bigint, second: number): RateReading => ({
  bid: rate(bid),
  source: 'composite(a,b)',
  observedAt: at(second),
})

/** Checks readings in order. @returns whether each was rejected */
function held(...readings: readonly (readonly [bid: bigint, second: number, observed?: number])[]) {
  let state: JumpState = noHistory
  return readings.map(([bid, second, observed = second]) => {
    state = checkJump(state, reading(bid, observed), at(second), rules)
    return state.unconfirmed !== undefined
  })
}

test('the first reading is accepted', () => {
  expect(held([100_000n, 0])).toEqual([false])
})

test('a change up to 3 % is no jump, one basis point more is one', () => {
  expect(held([100_000n, 0], [103_000n, 30])).toEqual([false, false])
  expect(held([100_000n, 0], [103_001n, 30])).toEqual([false, true])
  expect(held([100_000n, 0], [97_000n, 30])).toEqual([false, false])
  expect(held([100_000n, 0], [96_999n, 30])).toEqual([false, true])
})

test('a second reading near the jump confirms it and clears the history', () => {
  expect(held([100_000n, 0], [110_000n, 30], [111_000n, 60], [110_000n, 90])).toEqual([false, true, false, false])
})

test('the same observation fetched again does not confirm a jump', () => {
  const jump = [110_000n, 30, 30] as const
  expect(held([100_000n, 0], jump, [110_000n, 60, 30], [110_000n, 90, 90])).toEqual([false, true, true, false])
})

test('a return to the median needs no confirmation', () => {
  expect(held([100_000n, 0], [110_000n, 30], [100_100n, 60], [110_000n, 90])).toEqual([false, true, false, true])
})

test('a second, different jump does not confirm the first and replaces it', () => {
  expect(held([100_000n, 0], [110_000n, 30], [90_000n, 60], [90_500n, 90])).toEqual([false, true, true, false])
})

test('the reference is the median, not the last bid', () => {
  const usual = [
    [100_000n, 0],
    [102_000n, 30],
    [99_000n, 60],
  ] as const
  expect(held(...usual, [103_000n, 90]).at(-1)).toBe(false)
  expect(held(...usual, [103_001n, 90]).at(-1)).toBe(true)
  expect(held(...usual, [97_000n, 90]).at(-1)).toBe(false)
  expect(held(...usual, [96_999n, 90]).at(-1)).toBe(true)
})

test('a bid of exactly five minutes ago is in the window', () => {
  const usual = [
    [100_000n, 0],
    [102_900n, 10],
  ] as const
  expect(held(...usual, [105_000n, 300]).at(-1)).toBe(true)
  expect(held(...usual, [105_000n, 301]).at(-1)).toBe(false)
})

test('a drifting jump is compared with its first reading', () => {
  const drifting = [
    [100_000n, 0],
    [110_000n, 30, 30],
    [112_000n, 60, 30],
  ] as const
  expect(held(...drifting, [113_300n, 90, 90]).at(-1)).toBe(false)
  expect(held(...drifting, [113_301n, 90, 90]).at(-1)).toBe(true)
})

test('small steps are a jump once they exceed 3 % of the median', () => {
  expect(held([100_000n, 0], [102_000n, 30], [104_000n, 60], [106_000n, 90])).toEqual([false, false, true, false])
})

test('bids older than five minutes are dropped, except the last one', () => {
  const old = [
    [100_000n, 0],
    [100_000n, 30],
    [103_000n, 60],
  ] as const
  expect(held(...old, [106_000n, 90]).at(-1)).toBe(true)
  expect(held(...old, [106_000n, 1000]).at(-1)).toBe(false)
  expect(held(...old, [106_100n, 1000]).at(-1)).toBe(true)
})
