import { expect, test } from 'vitest'
import { exampleBacklog } from '../activity/activity-paths.ts'
import { backlogToJson } from './backlog.ts'

test('shows whether the network’s liquidity is watched, and whether alerts reach a gateway', () => {
  const none = backlogToJson(exampleBacklog, { isLiquidityWatched: false, hasGateway: false })
  expect([none.network_liquidity, none.alerts.gateway]).toEqual(['not_watched', 'none'])
})

const waiting = (count: number) => ({ count, oldestSeconds: count + 0.9 })
const shown = (count: number) => ({ count, oldest_seconds: count })

test('shows what waits with the age of the oldest, rounded down', () => {
  const backlog = {
    ...exampleBacklog,
    payouts: waiting(1),
    deliveries: { fast: waiting(2), slow: waiting(3), catching_up: waiting(4) },
    failingEndpoints: waiting(5),
    notices: waiting(6),
    screeningCases: waiting(7),
    depositsInReview: { ...waiting(8), amountMicroUsdt: 150_000_000_000n },
    proposals: waiting(9),
    undecidedDeposits: { ...waiting(10), oldest: null },
    retryingDeliveries: 11,
    pausedEndpoints: 12,
  }
  expect(backlogToJson(backlog, { isLiquidityWatched: true, hasGateway: true })).toMatchObject({
    payouts_processing: shown(1),
    deliveries: { fast: shown(2), slow: shown(3), catching_up: shown(4) },
    failing_endpoints: shown(5),
    notices: shown(6),
    screening_cases: shown(7),
    deposits_in_review: { ...shown(8), amount: '150000.000000' },
    proposals: shown(9),
    undecided_deposits: shown(10),
    retrying_deliveries: 11,
    paused_endpoints: 12,
    differences: expect.arrayContaining([{ check: 'network', count: 1, oldest_seconds: 7_200 }]),
    reconciliations: [{ check: 'network', completed_seconds: 9_000 }],
  })
})

test('shows the ages of checks rounded down, and none of a block that is ahead of the clock', () => {
  const backlog = {
    ...exampleBacklog,
    ledger: { driftMicroUsdt: 1_500_000n, uncheckedSeconds: 14.9, unrecheckedSeconds: 15.9 },
    scans: [
      { chain: 'tron', view: 'head', behindSeconds: 18.9 },
      { chain: 'tron', view: 'solid', behindSeconds: -0.4 },
    ],
  } as const
  expect(backlogToJson(backlog, { isLiquidityWatched: true, hasGateway: true })).toMatchObject({
    ledger: { drift: '1.500000', unchecked_seconds: 14, unrechecked_seconds: 15 },
    scans: [{ behind_seconds: 18 }, { behind_seconds: 0 }],
  })
})
