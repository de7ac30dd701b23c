import { expect, test } from 'vitest'
import { rate } from '../quote/rate.ts'
import { Unavailable } from '../unavailable.ts'
import {
  backlogFaults,
  defaultFaultLimits as limits,
  type Fault,
  lockFaults,
  processFaults,
  rateFaults,
  reconciliationFaults,
  tokenFaults,
} from './fault.ts'
import { process } from './fault.fixture.ts'
import { faultAlerts } from './fault-alerts.ts'
import type { Alert } from '../alert.ts'
import { ratesNow } from '../quote/rates-now.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import type { ReconciliationRun } from '../reconciliation/run.ts'
import { runMac } from '../reconciliation/run-mac.ts'
import { reconciliationRun } from '../reconciliation/reconciliation.fixture.ts'

const { clockApartMs: apart, reconciledSeconds: late } = limits
const gone = limits.processMissingSeconds + 1
const codesOf = (faults: readonly Fault[]) => faults.map(({ code, subject }) => [code, subject])

test('locks that are held, and tokens that end', () => {
  const held = lockFaults({ heldLocks: [{ session: 'session 7 of quipu_app', lock: 'the lock of the audit log' }] })
  expect(held).toEqual([
    { code: 'LOCK_HELD', subject: 'session 7 of quipu_app', detail: 'it holds the lock of the audit log' },
  ])
  const token = { id: 'opt_1', person: 'carla', role: 'admin', expiresAt: new Date(0) } as const
  expect(tokenFaults({ endingTokens: [token] })).toEqual([
    {
      code: 'TOKEN_ENDS_SOON',
      subject: 'opt_1',
      detail: 'the token of carla (admin) ends at 1970-01-01T00:00:00.000Z, without a successor',
    },
  ])
})

test('processes: missing, no worker, and clocks apart', () => {
  const api = process({ id: 'prc_2', program: 'api', aheadMs: -apart })
  const none = {
    running: [api],
    missing: [process({ silentSeconds: gone })],
    observedSeconds: gone,
    workerlessSeconds: gone,
  }
  expect(codesOf(processFaults(none, limits))).toEqual([
    ['PROCESS_MISSING', 'prc_1'],
    ['NO_WORKER', 'worker'],
    ['CLOCK_APART', 'prc_2'],
  ])
  expect(codesOf(processFaults({ ...none, missing: [], workerlessSeconds: gone - 1 }, limits))).toEqual([
    ['CLOCK_APART', 'prc_2'],
  ])
  const fine = { running: [process({ aheadMs: apart - 1 })], missing: [], observedSeconds: 100, workerlessSeconds: 0 }
  expect(processFaults(fine, limits)).toEqual([])
  const both = { running: [{ ...api, aheadMs: 0 }, process()], missing: [], observedSeconds: 100, workerlessSeconds: 0 }
  expect(processFaults(both, limits)).toEqual([])
})

test('scans, reviews, notices, alerts and the ledger check are faults above their limits', () => {
  const at = (behindSeconds: number, uncheckedSeconds: number, oldestSeconds: number) =>
    backlogFaults(
      {
        scans: [{ chain: 'tron', view: 'head', behindSeconds }],
        ledger: { uncheckedSeconds, unrecheckedSeconds: 0, driftMicroUsdt: 0n },
        notices: { count: 1, oldestSeconds },
        depositsInReview: {
          count: 1,
          oldestSeconds: oldestSeconds * 96,
          amountMicroUsdt: limits.reviewMicroUsdt - 301n + BigInt(oldestSeconds),
        },
        alerts: { waiting: { count: 1, oldestSeconds }, acceptedAt: null, digestDay: null },
        undecidedDeposits: { count: 2, oldestSeconds, oldest: { depositId: 'dep_1', problem: null } },
      },
      limits,
    )
  expect(at(300, 300, 300)).toEqual([])
  expect(codesOf(at(301, 301, 301))).toEqual([
    ['LEDGER_UNCHECKED', 'ledger'],
    ['SCAN_BEHIND', 'tron head'],
    ['DEPOSITS_BEHIND', 'deposits'],
    ['REVIEWS_WAIT', 'deposits'],
    ['REVIEWS_LARGE', 'deposits'],
    ['ALERTS_BEHIND', 'alerts'],
    ['NOTICES_BEHIND', 'notices'],
  ])
})

test('a reconciliation is a fault when it is old, and when it skipped what there was to compare', () => {
  const run = { check: 'chain', run: reconciliationRun, openSeconds: 180_000, slices: 1, compared: 0 } as const
  const at = (completedSeconds: number, hasSkipped: boolean) =>
    reconciliationFaults({ reconciliations: [{ ...run, completedSeconds, hasSkipped }] }, limits, {
      runMacKeys: undefined,
    })
  expect(at(late, false)).toEqual([])
  const open = { ...run, completedSeconds: 3_600, openSeconds: late + 1, hasSkipped: false }
  expect(reconciliationFaults({ reconciliations: [open] }, limits, { runMacKeys: undefined })).toEqual([
    {
      code: 'RECONCILIATION_LATE',
      subject: 'chain',
      detail: `a run that was opened ${late / 3_600} h ago has not completed`,
    },
  ])
  expect(at(late + 1, true)).toEqual([
    { code: 'RECONCILIATION_LATE', subject: 'chain', detail: `the newest run was completed ${late / 3_600} h ago` },
    {
      code: 'RECONCILIATION_EMPTY',
      subject: 'chain',
      detail: 'the newest completed run compared nothing, although there was something to compare',
    },
  ])
})

test('a completed run that no process vouches for is a fault that names it', () => {
  const keys = [{ id: '2', key: new Uint8Array(32).fill(2) }] as const
  const at = new Date(1)
  const slice = { position: 9, compared: 3, differences: 1, isLast: true }
  const mac = runMac(keys, reconciliationRun, slice, at)
  const completed = { ...reconciliationRun, position: 9, slices: 1, compared: 3, differences: 1, completedAt: at, mac }
  const found = (run: ReconciliationRun, runMacKeys: KeyRing = keys) => {
    const newest = {
      check: 'chain',
      run,
      completedSeconds: 0,
      openSeconds: 0,
      slices: 1,
      compared: 3,
      hasSkipped: false,
    } as const
    return reconciliationFaults({ reconciliations: [newest] }, limits, { runMacKeys })
  }
  expect(found(completed)).toEqual([])
  expect(found(completed, [{ id: '3', key: new Uint8Array(32) }, ...keys])).toEqual([])
  for (const forged of [
    { mac: null },
    { id: 'rcn_2' },
    { check: 'network' as const },
    { createdAt: at },
    { position: 10 },
    { slices: 2 },
    { compared: 4 },
    { differences: 0 },
    { completedAt: new Date(2) },
    { scheduledFor: '1970-01-01' },
    { period: { from: at, to: new Date(2) } },
  ])
    expect(found({ ...completed, ...forged }), JSON.stringify(forged)).toMatchObject([
      { code: 'RECONCILIATION_EMPTY', subject: 'chain', detail: expect.stringContaining('rcn_') },
    ])
  expect(found(completed, [{ id: '2', key: new Uint8Array(32) }])).toHaveLength(1)
})

test('sources of the rate: one that fails, two that disagree, and no rate', () => {
  const reading = { bid: rate(99_500n), source: 'broker', observedAt: new Date(0) }
  const sources = [
    { name: 'broker', reading, problem: null },
    { name: 'exchange', reading: { ...reading, bid: rate(120_000n) }, problem: 'stale' },
  ]
  const agreement = { spreadBps: 201, maxSpreadBps: 200 }
  expect(rateFaults({ sources, agreement }, 'gone')).toEqual([
    { code: 'RATE_SOURCE_FAILED', subject: 'exchange', detail: 'stale' },
    { code: 'RATE_SOURCES_DISAGREE', subject: 'rates', detail: 'broker bids 9.9500, exchange bids 12.0000' },
    { code: 'RATE_UNAVAILABLE', subject: 'rates', detail: 'gone' },
  ])
  const agreed = { sources: sources.slice(0, 1), agreement: { ...agreement, spreadBps: 200 } }
  expect(rateFaults(agreed, null)).toEqual([])
})

test('what a source answers now: a failure is a problem, a bug is thrown', async () => {
  const gone = new Unavailable('rate_source', 'gone')
  expect(await ratesNow({ current: () => Promise.reject(gone) })).toEqual({
    rate: null,
    problem: gone.message,
    report: { sources: [], agreement: null },
  })
  await expect(ratesNow({ current: () => Promise.reject(new Error('a bug')) })).rejects.toThrow()
})

test('a fault is alerted once, after it has lasted, and again when it returns', () => {
  const alerts: Alert[] = []
  const ended: [string, number][] = []
  let now = 0
  const found = faultAlerts(
    {
      raiseAlert: (alert) => void alerts.push(alert),
      monotonic: () => now,
      ended: ({ subject }, seconds) => void ended.push([subject, seconds]),
    },
    { RATE_SOURCE_FAILED: 60 },
  )
  const failed = { code: 'RATE_SOURCE_FAILED', subject: 'broker', detail: 'gone' } as const
  const scan = { code: 'SCAN_BEHIND', subject: 'tron head', detail: '301 s' } as const
  const at = (seconds: number, ...faults: Fault[]): number => {
    now = seconds * 1_000
    found(faults)
    return alerts.length
  }
  expect(at(0, failed)).toBe(0)
  expect(at(59, failed, scan)).toBe(1)
  expect(at(60, failed, { ...scan, detail: '302 s' })).toBe(2)
  expect(alerts).toEqual([scan, failed].map((fault) => ({ ...fault, tenantId: null })))
  expect(at(70)).toBe(2)
  expect(ended).toEqual([
    ['broker', 70],
    ['tron head', 11],
  ])
  expect(at(80, failed)).toBe(2)
  expect(at(90)).toBe(2)
  expect(at(100, failed, scan)).toBe(3)
  expect(at(159, failed, scan)).toBe(3)
  expect(at(160, failed, scan)).toBe(4)
  expect(ended).toHaveLength(2)
})
