import { bob, usdt } from '@quipu/core'
import { namedPeriod, type PayoutSums, type Period, type RefundSums } from '@quipu/core/operator'
import type { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
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

export const reportPaths: ZodOpenApiPathsObject = {
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
