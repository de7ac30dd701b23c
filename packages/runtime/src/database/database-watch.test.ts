import { type Alert, type Timer, Unavailable } from '@quipu/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clockDifferenceMaxMs, databaseClock, type DatabaseTime } from './database-clock.ts'
import { databaseWatch } from './database-watch.ts'
import type { PollingLoop } from '../process/polling-loop.ts'

let monotonicMs: number
let aheadMs: number
let ping: () => Promise<DatabaseTime>
let whySilent: () => Promise<string>
let isStandbyMissing: boolean
let warnings: unknown[]
let waits: Set<{ readonly at: number; readonly end: () => void }>
let alerts: Alert[]
let lines: unknown[]
let watch: PollingLoop

const confirmed = async (): Promise<DatabaseTime> => ({
  now: new Date(monotonicMs),
  sentAt: monotonicMs,
  answeredAt: monotonicMs,
})
const failing = (): Promise<never> => Promise.reject(new Unavailable('store', 'gone'))

const timer: Timer = (ms) => {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const wait = { at: monotonicMs + ms, end: resolve }
  waits.add(wait)
  return { done, cancel: () => void waits.delete(wait) }
}

async function step(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    monotonicMs += 1_000
    for (const wait of waits) {
      if (wait.at > monotonicMs) continue
      waits.delete(wait)
      wait.end()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

beforeEach(async () => {
  monotonicMs = 0
  aheadMs = 0
  waits = new Set()
  ;[alerts, lines, warnings] = [[], [], []]
  isStandbyMissing = false
  ping = confirmed
  whySilent = async () => 'commits wait for a standby'
  const monotonic = () => monotonicMs
  watch = databaseWatch({
    ping: () => ping(),
    whySilent: () => whySilent(),
    isStandbyMissing: () => isStandbyMissing,
    clock: databaseClock(() => new Date(monotonicMs + aheadMs), monotonic),
    raiseAlert: (alert) => void alerts.push(alert),
    log: { info: (...line: unknown[]) => void lines.push(line), warn: (line: unknown) => void warnings.push(line) },
    timer,
    monotonic,
  })
  await step(10)
})
afterEach(async () => {
  ping = confirmed
  const stopped = watch.stop()
  // A ping that began ends after 5 s, its reason after 2 s more.
  await step(8)
  await stopped
})

test('confirmed writes raise no alert', () => {
  expect([alerts, lines]).toEqual([[], []])
})

test.each([
  ['fail', failing, 'gone'],
  ['get no answer', () => new Promise<never>(() => undefined), 'commits wait for a standby'],
])('writes that %s raise one alert; their recovery is logged', async (_, failure, reason) => {
  ping = failure
  await step(60)
  expect(alerts).toEqual([
    {
      code: 'DATABASE_CANNOT_COMMIT',
      tenantId: null,
      subject: 'database',
      detail: expect.stringContaining(reason) as string,
    },
  ])
  ping = confirmed
  await step(10)
  expect(lines).toHaveLength(1)
  ping = failure
  await step(60)
  expect(alerts).toHaveLength(2)
})

test('the first failure is logged at once with its reason, as another session sees it', async () => {
  ping = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  whySilent = async () => 'the server accepts no writes: it is a standby'
  await step(5)
  expect(alerts).toEqual([])
  const reason =
    'Error: Connection terminated unexpectedly; another session: the server accepts no writes: it is a standby'
  expect(warnings).toEqual([{ reason }])
  await step(10)
  expect(alerts).toMatchObject([{ detail: expect.stringContaining(reason) as string }])
  expect(warnings).toHaveLength(1)
})

test('a server that requires no standby raises an alert of its own within 5 s, and its end is logged', async () => {
  isStandbyMissing = true
  ping = failing
  await step(5)
  expect(alerts).toEqual([
    {
      code: 'STANDBY_NOT_REQUIRED',
      tenantId: null,
      subject: 'database',
      detail: expect.stringContaining('no standby is required by the server') as string,
    },
  ])
  await step(60)
  expect(alerts).toHaveLength(1)
  isStandbyMissing = false
  ping = confirmed
  await step(10)
  expect(lines).toHaveLength(1)
})

test('the alert does not wait for its reason', async () => {
  ping = whySilent = () => new Promise<never>(() => undefined)
  await step(11)
  expect(alerts).toMatchObject([{ code: 'DATABASE_CANNOT_COMMIT', detail: expect.stringContaining('no answer') }])
})

test('a failure of less than 5 s raises no alert', async () => {
  ping = failing
  await step(4)
  ping = confirmed
  await step(60)
  expect([alerts, lines]).toEqual([[], []])
})

test.each([
  [clockDifferenceMaxMs, `${(clockDifferenceMaxMs / 1_000).toFixed(1)} s ahead of`],
  [-3_600_000, '3600.0 s behind'],
])('clocks that differ by %i ms raise one alert; their agreement is logged', async (ms, text) => {
  aheadMs = ms
  await step(60)
  expect(alerts).toMatchObject([{ code: 'CLOCK_APART' }])
  expect(alerts[0]?.detail).toContain(text)
  aheadMs = 0
  await step(10)
  expect([alerts.length, lines.length]).toEqual([1, 1])
})

test('clocks that differ by less than two seconds raise no alert', async () => {
  aheadMs = clockDifferenceMaxMs - 1
  await step(60)
  expect(alerts).toEqual([])
})
