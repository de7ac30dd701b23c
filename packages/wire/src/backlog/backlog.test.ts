import type { Backlog } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { backlogReport, backlogToJson } from './backlog.ts'
import { requested } from '../reconciliation/reconciliation-paths.ts'

const waiting = (count: number, oldestSeconds: number) => ({ count, oldestSeconds })

const backlog: Backlog = {
  payouts: waiting(1, 1.9),
  deliveries: { fast: waiting(2, 2.9), slow: waiting(3, 3.9), catching_up: waiting(4, 4.9) },
  retryingDeliveries: 9,
  pausedEndpoints: 5,
  failingEndpoints: waiting(6, 6.9),
  notices: waiting(7, 7.9),
  isQuotingPaused: false,
  screeningCases: waiting(18, 18.9),
  depositsInReview: { ...waiting(8, 8.9), amountMicroUsdt: 150_000_000_000n },
  proposals: waiting(2, 3.5),
  alerts: { waiting: waiting(1, 1.5), acceptedAt: new Date('2026-11-20T10:00:00.000Z'), digestDay: '2026-11-19' },
  undecidedDeposits: { count: 6, oldestSeconds: 61.9, oldest: null },
  differences: {
    ledger: waiting(9, 9.9),
    audit: waiting(10, 10.9),
    network: waiting(11, 11.9),
    chain: waiting(12, 12.9),
    liquidity: waiting(13, 13.9),
    report: { count: 0, oldestSeconds: 0 },
  },
  ledger: { driftMicroUsdt: 1_500_000n, uncheckedSeconds: 14.9, unrecheckedSeconds: 15.9 },
  reconciliations: [
    {
      check: 'network',
      run: requested,
      completedSeconds: 16.9,
      openSeconds: 0,
      slices: 48,
      compared: 100,
      hasSkipped: false,
    },
    {
      check: 'chain',
      run: requested,
      completedSeconds: 17.9,
      openSeconds: 0,
      slices: 1,
      compared: 3,
      hasSkipped: false,
    },
  ],
  endingTokens: [],
  heldLocks: [],
  scans: [
    { chain: 'tron', view: 'head', behindSeconds: 18.9 },
    { chain: 'tron', view: 'solid', behindSeconds: -0.4 },
  ],
}

const watched = { isLiquidityWatched: true, hasGateway: true }

test('shows whether the network’s liquidity is watched, and whether alerts reach a gateway', () => {
  const none = backlogToJson(backlog, { isLiquidityWatched: false, hasGateway: false })
  expect([none.network_liquidity, none.alerts.gateway]).toEqual(['not_watched', 'none'])
})

test('shows what waits with the age of the oldest, rounded down', () => {
  const json = backlogToJson(backlog, watched)
  expect(json).toEqual({
    payouts_processing: { count: 1, oldest_seconds: 1 },
    deliveries: {
      fast: { count: 2, oldest_seconds: 2 },
      slow: { count: 3, oldest_seconds: 3 },
      catching_up: { count: 4, oldest_seconds: 4 },
    },
    retrying_deliveries: 9,
    paused_endpoints: 5,
    failing_endpoints: { count: 6, oldest_seconds: 6 },
    notices: { count: 7, oldest_seconds: 7 },
    screening_cases: { count: 18, oldest_seconds: 18 },
    deposits_in_review: { count: 8, oldest_seconds: 8, amount: '150000.000000' },
    proposals: { count: 2, oldest_seconds: 3 },
    alerts: {
      gateway: 'set',
      waiting: { count: 1, oldest_seconds: 1 },
      accepted_at: '2026-11-20T10:00:00.000Z',
      digest_day: '2026-11-19',
    },
    undecided_deposits: { count: 6, oldest_seconds: 61 },
    differences: [
      { check: 'ledger', count: 9, oldest_seconds: 9 },
      { check: 'audit', count: 10, oldest_seconds: 10 },
      { check: 'network', count: 11, oldest_seconds: 11 },
      { check: 'chain', count: 12, oldest_seconds: 12 },
      { check: 'liquidity', count: 13, oldest_seconds: 13 },
      { check: 'report', count: 0, oldest_seconds: 0 },
    ],
    network_liquidity: 'watched',
    ledger: { drift: '1.500000', unchecked_seconds: 14, unrechecked_seconds: 15 },
    reconciliations: [
      { check: 'network', completed_seconds: 16 },
      { check: 'chain', completed_seconds: 17 },
    ],
    // A block can be ahead of the clock that its age is read from.
    scans: [
      { chain: 'tron', view: 'head', behind_seconds: 18 },
      { chain: 'tron', view: 'solid', behind_seconds: 0 },
    ],
  })
  expect(backlogReport.parse(json)).toEqual(json)
})

test('no count and no age of its schema is negative', () => {
  const json = backlogToJson(backlog, watched)
  const negative = [
    { paused_endpoints: -1 },
    { deposits_in_review: { count: -1, oldest_seconds: 0, amount: '1.000000' } },
    { notices: { count: -1, oldest_seconds: 0 } },
    { notices: { count: 0, oldest_seconds: -1 } },
  ]
  for (const change of negative) expect(backlogReport.safeParse({ ...json, ...change }).success).toBe(false)
})
