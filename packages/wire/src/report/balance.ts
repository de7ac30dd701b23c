import { type Bob, formatRate, toDecimal } from '@quipu/core'
import {
  type BalanceLine,
  type Exposure,
  type LiquidityForecast,
  type LiquidityRecord,
  type Timezone,
  timezones,
  type TrialBalance,
  zonedText,
} from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { instant, queryMembers, wordsOf } from '../json/fields.ts'
import { floorToMs, type Instant, instantToJson, parseInstant } from '../json/instant.ts'
import { rateText, signedUsdtAmount, usdtAmount } from '../json/money.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { type Format, formatParameter } from '../list/list-format.ts'
import { periodMembers, periodParameters } from '../period/period.ts'

const signed = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]*)\.(?:[0-9]{2}|[0-9]{6})$/)
  .meta({ examples: ['-0.500000'] })
const signedBob = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]*)\.[0-9]{2}$/)
  .meta({ examples: ['41200.00'] })
const { from: zoned } = periodMembers

/** The query of the trial balance. */
export const trialBalanceQuery = queryMembers({
  at: instant
    .meta({
      description: 'Everything before it. Left out: now, with the balances that only chain and network know.',
      examples: ['2026-12-01T00:00:00-04:00'],
    })
    .optional(),
  timezone: periodParameters.timezone,
  ...formatParameter,
})

export type TrialBalanceRequest = { readonly at: Date | null; readonly timezone: Timezone; readonly format: Format }

/** Reads the query of the trial balance. */
export const parseTrialBalance = (search: string): Parsed<TrialBalanceRequest> =>
  mapParsed(parseQuery(trialBalanceQuery, search), ({ at, timezone = 'UTC', format }) => ({
    at: at === undefined ? null : floorToMs(parseInstant(at) as Instant),
    timezone,
    format,
  }))

const accounts = wordsOf<BalanceLine['account']>({
  top_up_addresses: true,
  chain_differences: true,
  treasury: true,
  bank: true,
  network: true,
  tenants_available: true,
  tenants_held: true,
  tenants: true,
  uncredited_deposits: true,
  payouts: true,
  returned_payments: true,
  adjustments: true,
  sales: true,
  capital: true,
  fees: true,
  unexplained: true,
})

/** The schema of a line of the balance: an account, in one currency. */
export const balanceLine = z
  .object({
    currency: z.enum(['USDT', 'BOB']),
    side: z
      .enum(['asset', 'claim', 'unexplained'])
      .meta({ description: 'In each currency the assets are the claims and `unexplained`.' }),
    account: z.enum(accounts),
    amount: signed,
    basis: z.enum(['recorded', 'observed']).meta({ description: '`observed`: read at the chain or the network.' }),
    as_of: zoned,
  })
  .meta({ id: 'BalanceLine' })

export const trialBalance = z
  .object({
    at: zoned.meta({ description: 'The rows are of everything before it.' }),
    timezone: z.enum(timezones),
    is_now: z
      .boolean()
      .meta({ description: 'Whether observed balances are in it: nobody can read those of the past.' }),
    rows: z.array(balanceLine),
  })
  .meta({ id: 'TrialBalance' })
export type TrialBalanceJson = z.output<typeof trialBalance>

export const trialBalanceToJson = ({ at, isNow, lines }: TrialBalance, timezone: Timezone): TrialBalanceJson => ({
  at: zonedText(at, timezone),
  timezone,
  is_now: isNow,
  rows: lines.map(({ side, account, amount, basis, asOf }) => ({
    currency: amount.currency,
    side,
    account,
    amount: toDecimal(amount),
    basis,
    as_of: zonedText(asOf, timezone),
  })),
})

const reading = z.object({ available_bob: signedBob, at: time }).nullable()
const readingToJson = (each: LiquidityRecord | null) =>
  each && { available_bob: toDecimal(each.available), at: instantToJson(each.at) }

export const exposureReport = z
  .object({
    at: time,
    received_usdt: signedUsdtAmount.meta({
      description: 'Of payouts, not sold: the treasury’s own, with adjustments and movements.',
    }),
    left: reading.meta({ description: 'BOB at the network as last polled; null before that.' }),
    bid: rateText,
    left_usdt: signedUsdtAmount.meta({ description: 'The BOB at the present bid, rounded down.' }),
    exposure_usdt: signedUsdtAmount.meta({ description: '`received_usdt − left_usdt`.' }),
    limit_usdt: usdtAmount.nullable(),
    is_quoting_stopped: z.boolean(),
  })
  .meta({ id: 'ExposureReport' })
export type ExposureReportJson = z.output<typeof exposureReport>

export const exposureToJson = (each: Exposure): ExposureReportJson => ({
  at: instantToJson(each.at),
  received_usdt: toDecimal(each.received),
  left: readingToJson(each.left),
  bid: formatRate(each.rate.bid),
  left_usdt: toDecimal(each.leftUsdt),
  exposure_usdt: toDecimal(each.exposure),
  limit_usdt: each.limit && toDecimal(each.limit),
  is_quoting_stopped: each.isAbove,
})

/** The query of the liquidity report. */
export const liquidityQuery = queryMembers({ timezone: periodParameters.timezone })

/** Reads the query of the liquidity report. */
export const parseLiquidity = (search: string): Parsed<{ readonly timezone: Timezone }> =>
  mapParsed(parseQuery(liquidityQuery, search), ({ timezone = 'UTC' }) => ({ timezone }))

export const liquidityReport = z
  .object({
    timezone: z.enum(timezones),
    newest: reading,
    floor_bob: signedBob.nullable().meta({ description: 'Null: the network’s liquidity is not watched.' }),
    spend: z
      .array(
        z.object({
          weekday: z.int().min(0).max(6).meta({ description: '0 is Sunday.' }),
          hour: z.int().min(0).max(23),
          hours: z.int().min(1).meta({ description: 'How many were read.' }),
          mean_bob: signedBob,
        }),
      )
      .meta({ description: 'Of the last four weeks; hours in which the balance rose are left out.' }),
    below_floor_at: zoned
      .nullable()
      .meta({ description: 'Forecast from `spend`; null: not within four weeks, or unknown.' }),
    runs_out_at: zoned.nullable(),
  })
  .meta({ id: 'LiquidityReport' })
export type LiquidityReportJson = z.output<typeof liquidityReport>

export const liquidityToJson = (
  { slots, belowFloorAt, runsOutAt }: LiquidityForecast,
  {
    newest,
    floor,
    timezone,
  }: { readonly newest: LiquidityRecord | null; readonly floor: Bob | null; readonly timezone: Timezone },
): LiquidityReportJson => ({
  timezone,
  newest: readingToJson(newest),
  floor_bob: floor && toDecimal(floor),
  spend: slots.map(({ weekday, hour, hours, spend }) => ({ weekday, hour, hours, mean_bob: toDecimal(spend) })),
  below_floor_at: belowFloorAt && zonedText(belowFloorAt, timezone),
  runs_out_at: runsOutAt && zonedText(runsOutAt, timezone),
})
