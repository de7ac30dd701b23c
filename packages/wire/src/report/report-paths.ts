import { bob, rate, usdt } from '@quipu/core'
import {
  balanceLines,
  type Exposure,
  namedPeriod,
  type PayoutSums,
  type Period,
  type RefundSums,
} from '@quipu/core/operator'
import type { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import {
  exposureReport,
  exposureToJson,
  liquidityQuery,
  liquidityReport,
  liquidityToJson,
  parseLiquidity,
  parseTrialBalance,
  trialBalance,
  trialBalanceQuery,
  trialBalanceToJson,
} from './balance.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import {
  parseReport,
  reportQuery,
  reportToJson,
  revenueReport,
  revenueToJson,
  volumeReport,
  volumeToJson,
} from './report.ts'

const sums: PayoutSums = {
  key: example.tenant.id,
  name: example.tenant.legalName,
  completed: 412,
  target: bob(41_200_00n),
  source: usdt(4_266_000_440n),
  spread: usdt(63_077_612n),
  fee: usdt(62_219_004n),
  outcomes: [
    { status: 'completed', errorCode: null, count: 412 },
    { status: 'cancelled', errorCode: 'INSUFFICIENT_BALANCE', count: 3 },
  ],
  answers: { median: 190, p95: 820, p99: 1_900 },
}
const refunds: RefundSums = {
  key: sums.key,
  name: sums.name,
  refunds: 1,
  amount: usdt(10_354_370n),
  spread: usdt(153_101n),
  fee: usdt(151_017n),
}
const all = { key: null, name: null }
const earned = { payouts: sums, refunds }
const about = { period: namedPeriod('2026-11', 'America/La_Paz') as Period, cut: 'tenant' } as const

const report = (id: string, summary: string, description: string, schema: z.ZodType, shown: unknown) =>
  operation({
    id,
    tag: 'Reports',
    summary,
    description,
    access: 'operator',
    query: reportQuery,
    answers: {
      200: {
        description: 'The rows and their sum; as CSV the rows alone.',
        schema,
        examples: { month: shown },
        otherMediaTypes: ['text/csv'],
      },
    },
    refused: parseReport('period=2026-13&by=week', example.at(0)),
  })

const lines = balanceLines(
  {
    stored: { available: usdt(90_000_000n), held: usdt(10_000_000n) },
    deposited: usdt(150_000_000n),
    captured: usdt(50_000_000n),
    adjusted: usdt(0n),
    received: usdt(170_000_000n),
    returned: usdt(0n),
    swept: usdt(120_000_000n),
    chainDifference: usdt(0n),
    paid: bob(490_00n),
    repaid: bob(0n),
    moved: [{ account: 'network', against: 'capital', amount: bob(1_000_00n) }],
  },
  example.at(0),
  { network: { amount: bob(510_00n), at: example.at(-20) } },
)
const left = { available: bob(510_00n), at: example.at(-20) }
const exposure: Exposure = {
  received: usdt(50_000_000n),
  left,
  rate: { bid: rate(99_500n), source: 'broker', observedAt: example.at(-5) },
  leftUsdt: usdt(51_256_281n),
  exposure: usdt(-1_256_281n),
  limit: usdt(5_000_000_000n),
  isAbove: false,
  at: example.at(0),
}
const slot = { weekday: 5, hour: 15, hours: 4, spend: bob(52_00n) }
const forecast = { slots: [slot], belowFloorAt: example.at(32_155), runsOutAt: example.at(35_755) }

const trial = operation({
  id: 'trialBalanceReport',
  tag: 'Reports',
  summary: 'Read assets against what the operator owes and owns, each currency zero by itself',
  description:
    'As of any instant from postings and records; now also with what the chain shows of the treasury and the network of its balance. `unexplained` is the difference of assets and claims.',
  access: 'operator',
  query: trialBalanceQuery,
  answers: {
    200: {
      description: 'The lines; as CSV alone.',
      schema: trialBalance,
      examples: { now: trialBalanceToJson({ at: example.at(0), isNow: true, lines }, 'America/La_Paz') },
      otherMediaTypes: ['text/csv'],
    },
  },
  refused: parseTrialBalance('at=yesterday'),
})

const exposed = operation({
  id: 'exposureReport',
  tag: 'Reports',
  summary: 'Read USDT received against the BOB left, at the present bid',
  description: 'Above its limit new quotes get `503 RATE_UNAVAILABLE`; they are given again below it.',
  access: 'operator',
  answers: ok('The exposure.', exposureReport, { below: exposureToJson(exposure) }),
  refused: parseNoQuery('at=now'),
})

const liquid = operation({
  id: 'liquidityReport',
  tag: 'Reports',
  summary: 'Read the balance at the network, its spend by hour of the week, and when it ends',
  access: 'operator',
  query: liquidityQuery,
  answers: ok('Balance, floor and forecast.', liquidityReport, {
    low: liquidityToJson(forecast, { newest: left, floor: bob(100_00n), timezone: 'America/La_Paz' }),
  }),
  refused: parseLiquidity('timezone=EST'),
})

export const reportPaths: ZodOpenApiPathsObject = {
  '/operator/v1/reports/trial-balance': { get: trial },
  '/operator/v1/reports/exposure': { get: exposed },
  '/operator/v1/reports/liquidity': { get: liquid },
  '/operator/v1/reports/revenue': {
    get: report(
      'revenueReport',
      'Read what payouts have earned: spread and fee',
      'Completed payouts by `completed_at`, each with `fee + floor6(principal − target / bid)` of its quote. A refund is in the period of its booking. It undoes its amount less what the payout cost at its bid: the spread first, then the fee.',
      revenueReport,
      reportToJson(
        { ...about, rows: [earned], total: { payouts: { ...sums, ...all }, refunds: { ...refunds, ...all } } },
        revenueToJson,
        example.at(0),
      ),
    ),
  },
  '/operator/v1/reports/volume': {
    get: report(
      'volumeReport',
      'Read how much was paid, how payouts ended, and how long they took',
      'Payouts by the instant of their end.',
      volumeReport,
      reportToJson({ ...about, rows: [sums], total: { ...sums, ...all } }, volumeToJson, example.at(0)),
    ),
  },
}
