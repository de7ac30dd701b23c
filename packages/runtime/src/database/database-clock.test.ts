import { beforeEach, expect, test } from 'vitest'
import { type DatabaseClock, databaseClock } from './database-clock.ts'

const start = Date.parse('2026-03-04T05:06:07.000Z')
/** What the database's clock, the process's and the monotonic one say. */
let world: { databaseMs: number; processMs: number; monotonicMs: number }
let clock: DatabaseClock

beforeEach(() => {
  world = { databaseMs: start, processMs: start, monotonicMs: 0 }
  clock = databaseClock(
    () => new Date(world.processMs),
    () => world.monotonicMs,
  )
})

function pass(ms: number): void {
  world = {
    databaseMs: world.databaseMs + ms,
    processMs: world.processMs + ms,
    monotonicMs: world.monotonicMs + ms,
  }
}

/** Asks the database, whose answer is made in the middle of the round trip. */
function compare(roundTripMs = 10): void {
  const sentAt = world.monotonicMs
  pass(roundTripMs / 2)
  const now = new Date(world.databaseMs)
  pass(roundTripMs / 2)
  clock.compare({ now, sentAt, answeredAt: world.monotonicMs })
}

const nowMs = () => clock.now().getTime()

test('before the first comparison it is the process’s clock', () => {
  world.processMs += 3_600_000
  expect([nowMs(), clock.aheadMs()]).toEqual([world.processMs, 0])
})

test.each([1_999, -1_999])('a difference of %i ms leaves the process’s clock in use', (ms) => {
  world.processMs += ms
  compare()
  expect([nowMs(), clock.aheadMs()]).toEqual([world.processMs, ms])
})

test.each([2_000, -2_000, 3_600_000, -3_600_000])(
  'a difference of %i ms brings the database’s clock into use, which goes on',
  (ms) => {
    world.processMs += ms
    compare()
    expect([nowMs(), clock.aheadMs()]).toEqual([world.databaseMs, ms])
    pass(60_000)
    expect([nowMs(), clock.aheadMs()]).toEqual([world.databaseMs, ms])
  },
)

test('a step of the process’s clock shows at once, and its way back', () => {
  compare()
  world.processMs += 3_600_000
  expect([nowMs(), clock.aheadMs()]).toEqual([world.databaseMs, 3_600_000])
  world.processMs -= 3_600_000
  expect([nowMs(), clock.aheadMs()]).toEqual([world.processMs, 0])
})

test('the process’s clock is used again when the two are within a second', () => {
  world.processMs += 2_000
  compare()
  expect(nowMs()).toBe(world.databaseMs)
  world.processMs -= 999
  expect(nowMs()).toBe(world.databaseMs)
  world.processMs -= 2
  expect(nowMs()).toBe(world.processMs)
})

test('the middle of the round trip counts, and an answer that took longer than a second does not', () => {
  world.processMs += 5_000
  compare(1_000)
  expect(clock.aheadMs()).toBe(5_000)
  world.databaseMs += 30_000
  compare(1_002)
  expect(clock.aheadMs()).toBe(5_000)
})
