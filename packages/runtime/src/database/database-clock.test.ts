import { beforeEach, expect, test } from 'vitest'
import { clockDifferenceMaxMs as most, type DatabaseClock, databaseClock } from './database-clock.ts'

const start = Date.parse('2026-03-04T05:06:07.000Z')
/** The three clocks. */
let clocks: { databaseMs: number; processMs: number; monotonicMs: number }
let clock: DatabaseClock

beforeEach(() => {
  clocks = { databaseMs: start, processMs: start, monotonicMs: 0 }
  clock = databaseClock(
    () => new Date(clocks.processMs),
    () => clocks.monotonicMs,
  )
})

function advance(ms: number): void {
  clocks = {
    databaseMs: clocks.databaseMs + ms,
    processMs: clocks.processMs + ms,
    monotonicMs: clocks.monotonicMs + ms,
  }
}

/** Queries the database, which reads its clock in the middle of the round trip. */
function compare(roundTripMs = 10): void {
  const sentAt = clocks.monotonicMs
  advance(roundTripMs / 2)
  const now = new Date(clocks.databaseMs)
  advance(roundTripMs / 2)
  clock.compare({ now, sentAt, answeredAt: clocks.monotonicMs })
}

const nowMs = () => clock.now().getTime()

test('the process’s clock is used before the first comparison', () => {
  clocks.processMs += 3_600_000
  expect([nowMs(), clock.aheadMs()]).toEqual([clocks.processMs, 0])
})

test.each([most - 1, 1 - most])('the process’s clock is used at a difference of %i ms', (ms) => {
  clocks.processMs += ms
  compare()
  expect([nowMs(), clock.aheadMs()]).toEqual([clocks.processMs, ms])
})

test.each([most, -most, 3_600_000, -3_600_000])(
  'the database’s time is used at a difference of %i ms, and advances',
  (ms) => {
    clocks.processMs += ms
    compare()
    expect([nowMs(), clock.aheadMs()]).toEqual([clocks.databaseMs, ms])
    advance(60_000)
    expect([nowMs(), clock.aheadMs()]).toEqual([clocks.databaseMs, ms])
  },
)

test('a step of the process’s clock is noticed at once, and so is its end', () => {
  compare()
  clocks.processMs += 3_600_000
  expect([nowMs(), clock.aheadMs()]).toEqual([clocks.databaseMs, 3_600_000])
  clocks.processMs -= 3_600_000
  expect([nowMs(), clock.aheadMs()]).toEqual([clocks.processMs, 0])
})

test('the process’s clock is used again at less than half the difference', () => {
  clocks.processMs += most
  compare()
  expect(nowMs()).toBe(clocks.databaseMs)
  clocks.processMs -= most / 2 - 1
  expect(nowMs()).toBe(clocks.databaseMs)
  clocks.processMs -= 2
  expect(nowMs()).toBe(clocks.processMs)
})

test('the middle of the round trip dates an answer; one that took over a second is ignored', () => {
  clocks.processMs += 5_000
  compare(1_000)
  expect(clock.aheadMs()).toBe(5_000)
  clocks.databaseMs += 30_000
  compare(1_002)
  expect(clock.aheadMs()).toBe(5_000)
})
