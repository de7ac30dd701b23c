import { type Bob, type Money, type PayoutErrorCode, toDecimal, type Usdt, usdt } from '@quipu/core'
import {
  dayAt,
  type OutcomeCount,
  type PayoutSums,
  type Period,
  type Report,
  type ReportCut,
  reportCuts,
  type RevenueRow,
} from '@quipu/core/operator'
import { z } from 'zod'
import { oneOf, queryMembers } from '../json/fields.ts'
import { id as idOf } from '../json/identifier.ts'
import { type Format, formatParameter } from '../list/list-format.ts'
import { signedUsdtAmount, usdtAmount, bobAmount } from '../json/money.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { payoutErrorCodes } from '../payout/payout.ts'
import { onePeriod, periodMembers, periodParameters, periodToJson, readPeriod } from '../period/period.ts'

/** The query of a report by period. */
export const reportQuery = queryMembers({
  ...periodParameters,
  period: periodParameters.period.meta({
    description: 'A month or a day in `timezone`. Left out, and from and to as well: this month.',
  }),
  by: oneOf(reportCuts).meta({ description: 'A row for each of these.', default: 'tenant' }).optional(),
  tenant_id: idOf('ten').meta({ description: 'The payouts of this tenant alone.' }).optional(),
  ...formatParameter,
})

/** The query of a report: its period, how rows are cut, and the tenant, all by default. */
export type ReportRequest = {
  readonly period: Period
  readonly cut: ReportCut
  readonly format: Format
  readonly tenantId?: string
}

/** Reads the query of a report by period: the month of `now` in its zone when it names none. */
export function parseReport(search: URLSearchParams | string, now: Date): Parsed<ReportRequest> {
  const parsed = parseQuery(reportQuery, search, onePeriodAtMost)
  if (!parsed.ok) return parsed
  const { by: cut = 'tenant', tenant_id: tenantId, format, timezone = 'UTC', ...named } = parsed.value
  const isNamed = Object.keys(named).length > 0
  const read = readPeriod({ ...(isNamed ? named : { period: dayAt(now, timezone).slice(0, 7) }), timezone })
  return mapParsed(read, (period) => ({ period, cut, format, ...(tenantId && { tenantId }) }))
}

const onePeriodAtMost: Rule = (given) =>
  [given['period'], given['from'], given['to']].some((each) => each !== undefined) ? onePeriod(given) : []

const count = z.int().min(0)
const ms = z.number().min(0).nullable()

const keyMembers = {
  key: z
    .string()
    .nullable()
    .meta({ description: 'The tenant’s id, the day or the month; null in `total`.', examples: ['2026-11-20'] }),
  name: z.string().nullable().meta({ description: 'The tenant’s legal name; null where the key is no tenant.' }),
}

/** The schema of a row of the report of revenue. */
export const revenueRow = z.object({
  ...keyMembers,
  payouts: count.meta({ description: 'Completed ones.' }),
  volume_bob: bobAmount,
  volume_usdt: usdtAmount.meta({ description: 'Their prices.' }),
  spread_usdt: usdtAmount.meta({
    description: 'Of each payout floor6(principal − target / bid), by the bid of its quote.',
  }),
  fee_usdt: usdtAmount,
  refunds: count,
  refunded_usdt: usdtAmount,
  refunded_spread_usdt: signedUsdtAmount.meta({ description: 'The part that refunds undo: negative.' }),
  refunded_fee_usdt: signedUsdtAmount,
  revenue_usdt: signedUsdtAmount.meta({ description: 'The sum of spread and fee, with the two lines of refunds.' }),
})

/** The schema of a row of the report of volume. */
export const volumeRow = z.object({
  ...keyMembers,
  payouts: count.meta({ description: 'Ended ones, however they ended.' }),
  volume_bob: bobAmount.meta({ description: 'Of completed payouts.' }),
  volume_usdt: usdtAmount,
  outcomes: z.object({ completed: count, failed: count, rejected: count, cancelled: count }),
  errors: z.object(
    Object.fromEntries(payoutErrorCodes.map((code) => [code, count])) as Record<PayoutErrorCode, typeof count>,
  ),
  median_ms: ms.meta({ description: 'From acceptance to end; null when none was accepted.' }),
  p95_ms: ms,
  p99_ms: ms,
})

const reportOf = <Row extends z.ZodObject>(row: Row, id: string) => {
  const named = row.meta({ id: `${id}Row` })
  return z
    .object({ ...periodMembers, by: z.enum(reportCuts), rows: z.array(named), total: named })
    .meta({ id: `${id}Report` })
}
export const revenueReport = reportOf(revenueRow, 'Revenue')
export type RevenueReportJson = z.output<typeof revenueReport>
export const volumeReport = reportOf(volumeRow, 'Volume')
export type VolumeReportJson = z.output<typeof volumeReport>

/** A report in an answer. @param rowToJson  `revenueToJson` or `volumeToJson` */
export const reportToJson = <Row, Json>(
  { period, cut, rows, total }: Report<Row>,
  rowToJson: (row: Row) => Json,
  now: Date,
) => ({ ...periodToJson(period, now), by: cut, rows: rows.map(rowToJson), total: rowToJson(total) })

export function revenueToJson({ payouts, refunds }: RevenueRow): z.output<typeof revenueRow> {
  const { spread, fee } = payouts
  const back = { spread: negative(refunds.spread), fee: negative(refunds.fee) }
  return {
    key: payouts.key,
    name: payouts.name ?? refunds.name,
    payouts: payouts.completed,
    ...volumeOf(payouts),
    spread_usdt: toDecimal(spread),
    fee_usdt: toDecimal(fee),
    refunds: refunds.refunds,
    refunded_usdt: toDecimal(refunds.amount),
    refunded_spread_usdt: toDecimal(back.spread),
    refunded_fee_usdt: toDecimal(back.fee),
    revenue_usdt: toDecimal(usdt([spread, fee, back.spread, back.fee].reduce((sum, { minor }) => sum + minor, 0n))),
  }
}

export function volumeToJson(sums: PayoutSums): z.output<typeof volumeRow> {
  const { key, name, outcomes, answers } = sums
  const countOf = (isOf: (outcome: OutcomeCount) => boolean): number =>
    outcomes.filter(isOf).reduce((total, outcome) => total + outcome.count, 0)
  const ended = (status: OutcomeCount['status']) => countOf((outcome) => outcome.status === status)
  return {
    key,
    name,
    payouts: countOf(() => true),
    ...volumeOf(sums),
    outcomes: {
      completed: ended('completed'),
      failed: ended('failed'),
      rejected: ended('rejected'),
      cancelled: ended('cancelled'),
    },
    errors: Object.fromEntries(
      payoutErrorCodes.map((code) => [code, countOf(({ errorCode }) => errorCode === code)]),
    ) as Record<PayoutErrorCode, number>,
    median_ms: answers && answers.median,
    p95_ms: answers && answers.p95,
    p99_ms: answers && answers.p99,
  }
}

const volumeOf = ({ target, source }: { readonly target: Bob; readonly source: Usdt }) => ({
  volume_bob: toDecimal(target),
  volume_usdt: toDecimal(source),
})

const negative = ({ minor }: Money<'USDT'>): Usdt => usdt(-minor)
