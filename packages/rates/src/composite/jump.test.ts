import type { RateReading } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { judgeJump, type JumpState, noHistory } from './jump.ts'

const rules = { maxJumpBps: 300, windowSeconds: 300 }
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const reading = (bid: bigint, second: number): RateReading => ({
  bid,
  source: 'composite(a,b)',
  observedAt: at(second),
})

/** Judges one reading after another; says which were held back. */
function held(...readings: readonly (readonly [bid: bigint, second: number, observed?: number])[]) {
  let state: JumpState = noHistory
  return readings.map(([bid, second, observed = second]) => {
    state = judgeJump(state, reading(bid, observed), at(second), rules)
    return state.suspect !== undefined
  })
}

test('the first reading has nothing to be far from', () => {
  expect(held([100_000n, 0])).toEqual([false])
})

test('3 % is no jump, a ten-thousandth more is one, up or down', () => {
  expect(held([100_000n, 0], [103_000n, 30])).toEqual([false, false])
  expect(held([100_000n, 0], [103_001n, 30])).toEqual([false, true])
  expect(held([100_000n, 0], [97_000n, 30])).toEqual([false, false])
  expect(held([100_000n, 0], [96_999n, 30])).toEqual([false, true])
})

test('a second reading near the jump confirms it, and what was usual is forgotten', () => {
  expect(held([100_000n, 0], [110_000n, 30], [111_000n, 60], [110_000n, 90])).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('the same observation fetched again confirms nothing', () => {
  const jump = [110_000n, 30, 30] as const
  expect(held([100_000n, 0], jump, [110_000n, 60, 30], [110_000n, 90, 90])).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('a return to the usual needs no confirmation, and ends the suspicion', () => {
  expect(held([100_000n, 0], [110_000n, 30], [100_100n, 60], [110_000n, 90])).toEqual([
    false,
    true,
    false,
    true,
  ])
})

test('a second jump elsewhere confirms nothing and is the new suspect', () => {
  expect(held([100_000n, 0], [110_000n, 30], [90_000n, 60], [90_500n, 90])).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('the usual is the one in the middle by size, whatever came last', () => {
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

test('what was accepted just five minutes ago still counts', () => {
  const usual = [
    [100_000n, 0],
    [102_900n, 10],
  ] as const
  expect(held(...usual, [105_000n, 300]).at(-1)).toBe(true)
  expect(held(...usual, [105_000n, 301]).at(-1)).toBe(false)
})

test('a jump that drifts while it is only fetched again is measured from where it began', () => {
  const drifting = [
    [100_000n, 0],
    [110_000n, 30, 30],
    [112_000n, 60, 30],
  ] as const
  expect(held(...drifting, [113_300n, 90, 90]).at(-1)).toBe(false)
  expect(held(...drifting, [113_301n, 90, 90]).at(-1)).toBe(true)
})

test('creeping within 3 % a step is a jump once it is 3 % off the median of five minutes', () => {
  expect(held([100_000n, 0], [102_000n, 30], [104_000n, 60], [106_000n, 90])).toEqual([
    false,
    false,
    true,
    false,
  ])
})

test('what was accepted over five minutes ago is forgotten, but for the last of it', () => {
  const old = [
    [100_000n, 0],
    [100_000n, 30],
    [103_000n, 60],
  ] as const
  expect(held(...old, [106_000n, 90]).at(-1)).toBe(true)
  expect(held(...old, [106_000n, 1000]).at(-1)).toBe(false)
  expect(held(...old, [106_100n, 1000]).at(-1)).toBe(true)
})
