import { expect, test } from 'vitest'
import { exampleBacklog } from '../activity/activity-paths.ts'
import { backlogToJson } from './backlog.ts'

test('shows whether the network’s liquidity is watched, and whether alerts reach a gateway', () => {
  const none = backlogToJson(exampleBacklog, { isLiquidityWatched: false, hasGateway: false })
  expect([none.network_liquidity, none.alerts.gateway]).toEqual(['not_watched', 'none'])
})

test('shows ages rounded down, and none of a block that is ahead of the clock', () => {
  const backlog = {
    ...exampleBacklog,
    payouts: { count: 1, oldestSeconds: 1.9 },
    ledger: { driftMicroUsdt: 1_500_000n, uncheckedSeconds: 14.9, unrecheckedSeconds: 15.9 },
    scans: [
      { chain: 'tron', view: 'head', behindSeconds: 18.9 },
      { chain: 'tron', view: 'solid', behindSeconds: -0.4 },
    ],
  } as const
  expect(backlogToJson(backlog, { isLiquidityWatched: true, hasGateway: true })).toMatchObject({
    payouts_processing: { count: 1, oldest_seconds: 1 },
    ledger: { drift: '1.500000', unchecked_seconds: 14, unrechecked_seconds: 15 },
    scans: [{ behind_seconds: 18 }, { behind_seconds: 0 }],
  })
})
