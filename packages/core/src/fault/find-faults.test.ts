import type { NetworkRecord } from '../network/network-store.ts'
import { expect, test } from 'vitest'
import type { Backlog } from '../backlog/backlog.ts'
import type { RecordedProcess } from '../process/process.ts'
import type { RateReport } from '../quote/ports.ts'
import type { PaymentGate } from '../restore/ports.ts'
import { rate } from '../quote/rate.ts'
import { Unavailable } from '../unavailable.ts'
import { defaultFaultLimits, type FaultLimits } from './fault.ts'
import { process } from './fault.fixture.ts'
import { findFaults } from './find-faults.ts'
import { reconciliationRun } from '../reconciliation/reconciliation.fixture.ts'

const none = { count: 0, oldestSeconds: 0 }
const backlog: Backlog = {
  payouts: none,
  failingEndpoints: none,
  notices: none,
  undecidedDeposits: { ...none, oldest: null },
  deliveries: { fast: none, slow: none, catching_up: none },
  retryingDeliveries: 0,
  pausedEndpoints: 0,
  isQuotingPaused: false,
  screeningCases: { count: 0, oldestSeconds: 0 },
  depositsInReview: { ...none, amountMicroUsdt: 0n },
  proposals: none,
  alerts: { waiting: none, acceptedAt: null, digestDay: null },
  reconciliations: [],
  endingTokens: [],
  heldLocks: [],
  differences: { ledger: none, audit: none, network: none, chain: none, liquidity: none, report: none },
  ledger: { uncheckedSeconds: 1, unrecheckedSeconds: 1, driftMicroUsdt: 0n },
  scans: [{ chain: 'tron', view: 'head', behindSeconds: 3 }],
}
const reading = { bid: rate(99_500n), source: 'broker', observedAt: new Date(0) }
const report: RateReport = { sources: [{ name: 'broker', reading, problem: null }], agreement: null }

const openGate: PaymentGate = { stop: null, halt: null, unchecked: null, confirmations: 0, installation: 'ABCD' }

/** The codes of the faults of a service that works, but for what is given. */
async function found(
  of: {
    processes?: readonly RecordedProcess[]
    waiting?: Partial<Backlog>
    gate?: Partial<PaymentGate>
    report?: RateReport
    halts?: NetworkRecord['halts']
    current?: () => Promise<typeof reading>
  },
  limits?: FaultLimits,
): Promise<readonly string[]> {
  const find = findFaults(
    {
      processes: { list: async () => of.processes ?? [process()] },
      backlog: { read: async () => ({ ...backlog, ...of.waiting }) },
      networks: { read: async () => ({ network: null, halts: of.halts ?? [] }) },
      runMacKeys: undefined,
      restores: { gate: async () => ({ ...openGate, ...of.gate }) },
      rates: { current: of.current ?? (async () => reading), report: async () => of.report ?? report },
    },
    limits,
  )
  return (await find()).map(({ code }) => code)
}

const failing = {
  processes: [process({ program: 'api', aheadMs: 2_000 })],
  waiting: {
    notices: { count: 1, oldestSeconds: 301 },
    heldLocks: [{ session: 'session 7', lock: 'rows' }],
    endingTokens: [{ id: 'opt_1', person: 'carla', role: 'admin', expiresAt: new Date(0) }],
    reconciliations: [
      {
        check: 'network',
        run: reconciliationRun,
        completedSeconds: 1,
        openSeconds: 0,
        slices: 48,
        compared: 0,
        hasSkipped: true,
      },
    ],
  },
  halts: [{ identity: 'https://staging.example', payoutId: null, since: new Date(0) }],
  report: { ...report, sources: [{ name: 'broker', reading: null, problem: 'gone' }] },
  current: () => Promise.reject(new Unavailable('rate_source', 'gone')),
} as const

test('a service that works has no faults', async () => {
  expect(await found({})).toEqual([])
})

test('the faults are those of the processes, of the backlog, of the network and of the rate, in this order', async () => {
  expect(await found(failing)).toEqual([
    'NO_WORKER',
    'CLOCK_APART',
    'NOTICES_BEHIND',
    'LOCK_HELD',
    'TOKEN_ENDS_SOON',
    'RECONCILIATION_EMPTY',
    'NETWORK_CHANGED',
    'RATE_SOURCE_FAILED',
    'RATE_UNAVAILABLE',
  ])
})

test('payments that do not begin are the first fault, for as long as that lasts', async () => {
  const at = new Date('2026-11-23T00:00:00.000Z')
  const halt = { reason: 'went_back', detail: 'the log is at 0/1', at } as const
  const unchecked = { start: 'now', comparedFrom: at }
  expect(await found({ ...failing, gate: { halt } })).toContain('PAYMENTS_HALTED')
  expect(await found({ gate: { halt, unchecked } })).toEqual(['PAYMENTS_HALTED'])
  expect(await found({ gate: { unchecked } })).toEqual(['PAYMENTS_UNCHECKED'])
})

test('a process is missing, and work waits too long, by the limits that are set', async () => {
  const silent = process({ id: 'prc_2', silentSeconds: 40 })
  const of = { processes: [process(), silent], waiting: { notices: failing.waiting.notices } }
  expect(await found(of)).toEqual(['PROCESS_MISSING', 'NOTICES_BEHIND'])
  const wide = { ...defaultFaultLimits, processMissingSeconds: 40, noticesBehindSeconds: 301 }
  expect(await found(of, wide)).toEqual([])
})

test('nothing is found while the store cannot be read', async () => {
  const list = () => Promise.reject(new Unavailable('store', 'no answer'))
  const rates = { current: async () => reading }
  const networks = { read: async () => ({ network: null, halts: [] }) }
  const restores = { gate: async () => openGate }
  const ports = {
    processes: { list },
    backlog: { read: async () => backlog },
    networks,
    restores,
    rates,
    runMacKeys: undefined,
  }
  await expect(findFaults(ports)()).rejects.toThrow(Unavailable)
})
