import type { Backlog } from '@quipu/core/adapter'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { backlogReport, backlogToJson } from '../backlog/backlog.ts'
import { parsePayoutActivity, payoutActivity, payoutActivityQuery, payoutActivityToJson } from './payout-activity.ts'
import { requested } from '../reconciliation/reconciliation-paths.ts'

const tag = 'Activity'
const now = example.at(86_400)
const query = { from: example.at(0), stepSeconds: 1_800 }
const outcomes = { completed: 412, failed: 2, rejected: 1, cancelled: 3 }

const activity = operation({
  id: 'getPayoutActivity',
  tag,
  summary: 'Count the payouts that have ended, by outcome and time, with their answer times',
  description: 'Of all tenants. A chart of hours; the metrics have longer ones.',
  access: 'operator',
  query: payoutActivityQuery,
  answers: ok('The steps of the period.', payoutActivity, {
    day: payoutActivityToJson(
      { completeFrom: query.from, steps: [{ at: example.at(1_800), outcomes, medianMs: 190, p95Ms: 820 }] },
      query,
      now,
    ),
  }),
  refused: parsePayoutActivity('hours=0', now),
})

const none = { count: 0, oldestSeconds: 0 }
export const exampleBacklog: Backlog = {
  payouts: { count: 3, oldestSeconds: 41 },
  deliveries: { fast: none, slow: { count: 12, oldestSeconds: 95 }, catching_up: none },
  retryingDeliveries: 9,
  pausedEndpoints: 1,
  failingEndpoints: none,
  notices: none,
  isQuotingPaused: false,
  screeningCases: { count: 1, oldestSeconds: 3_600 },
  depositsInReview: { count: 2, oldestSeconds: 5_400, amountMicroUsdt: 26_000_000_000n },
  proposals: { count: 1, oldestSeconds: 600 },
  alerts: { waiting: none, acceptedAt: example.at(0), digestDay: '2026-11-20' },
  undecidedDeposits: { count: 1, oldestSeconds: 12, oldest: null },
  differences: {
    ledger: none,
    audit: none,
    network: { count: 1, oldestSeconds: 7_200 },
    chain: none,
    liquidity: none,
    report: none,
  },
  ledger: { driftMicroUsdt: 0n, uncheckedSeconds: 12, unrecheckedSeconds: 3_600 },
  reconciliations: [
    {
      check: 'network',
      run: requested,
      completedSeconds: 9_000,
      openSeconds: 0,
      slices: 24,
      compared: 410,
      hasSkipped: false,
    },
  ],
  endingTokens: [],
  heldLocks: [],
  scans: [{ chain: 'tron', view: 'solid', behindSeconds: 60 }],
}

const backlog = operation({
  id: 'getBacklog',
  tag,
  summary: 'Read what waits, and when it was checked',
  access: 'operator',
  answers: ok('The backlog of the whole service.', backlogReport, {
    backlog: backlogToJson(exampleBacklog, { isLiquidityWatched: true, hasGateway: true }),
  }),
  refused: parseNoQuery('status=open'),
})

export const activityPaths: ZodOpenApiPathsObject = {
  '/operator/v1/payout-activity': { get: activity },
  '/operator/v1/backlog': { get: backlog },
}
