import { bob, usdt } from '../money.ts'
import { daysOf, type Period } from '../period/period.ts'
import type { Clock } from '../time.ts'
import type { PayoutSums, RefundSums, ReportCut, ReportStore } from './ports.ts'

/** A report of a period: a row for each tenant with payouts or refunds in it, each day or each month, and the sum. */
export type Report<Row> = {
  readonly period: Period
  readonly cut: ReportCut
  readonly rows: readonly Row[]
  readonly total: Row
}

/** Earnings less refunds: what remains is the sums' spread and fee less the refunds'. */
export type RevenueRow = { readonly payouts: PayoutSums; readonly refunds: RefundSums }

/** The ports of `readReports`. */
export type ReadReportsPorts = { readonly reports: Pick<ReportStore, 'payouts' | 'refunds'>; readonly now: Clock }

/** Reads reports of all tenants or of one. Every method throws `Unavailable` when the database cannot be read. */
export type ReadReports = {
  /** Captured payouts by `completed_at`, and refunds by theirs. */
  revenue(period: Period, cut: ReportCut, tenantId?: string): Promise<Report<RevenueRow>>
  /** Ended payouts by their end. */
  volume(period: Period, cut: ReportCut, tenantId?: string): Promise<Report<PayoutSums>>
}

/**
 * Reports of revenue and volume. A report by day or month has a row for each that has begun, also without payouts.
 *
 * @example
 * ```ts
 * const today = namedPeriod('2026-11-20', 'America/La_Paz')
 * const report = today && (await readReports(ports).revenue(today, 'tenant'))
 * console.log(report && toDecimal(report.total.payouts.fee)) // 0.000000
 * ```
 */
export function readReports({ reports, now }: ReadReportsPorts): ReadReports {
  const assemble = <Row>(
    period: Period,
    cut: ReportCut,
    found: Iterable<string | null>,
    rowOf: (key: string | null) => Row,
  ) => {
    const tenants = () => [...new Set(found)].filter((key) => key !== null).toSorted()
    const keys = cut === 'tenant' ? tenants() : begunKeys(period, cut, now())
    return { period, cut, rows: keys.map(rowOf), total: rowOf(null) }
  }
  return {
    volume: async (period, cut, tenantId) => {
      const sums = byKey(await reports.payouts(period, cut, tenantId))
      return assemble(period, cut, sums.keys(), (key) => sums.get(key) ?? noPayouts(key))
    },
    revenue: async (period, cut, tenantId) => {
      const earned = byKey(await reports.payouts(period, cut, tenantId))
      const refunded = byKey(await reports.refunds(period, cut, tenantId))
      return assemble(period, cut, [...earned.keys(), ...refunded.keys()], (key) => ({
        payouts: earned.get(key) ?? noPayouts(key),
        refunds: refunded.get(key) ?? noRefunds(key),
      }))
    },
  }
}

const byKey = <Row extends { readonly key: string | null }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.key, row]))

const nothing = { name: null, spread: usdt(0n), fee: usdt(0n) }
const noPayouts = (key: string | null): PayoutSums => ({
  ...nothing,
  key,
  completed: 0,
  target: bob(0n),
  source: usdt(0n),
  outcomes: [],
  answers: null,
})
const noRefunds = (key: string | null): RefundSums => ({ ...nothing, key, refunds: 0, amount: usdt(0n) })

/** The days or months of the period that have begun. */
function begunKeys(period: Period, cut: 'day' | 'month', now: Date): readonly string[] {
  const begun = daysOf(period).filter(({ from }) => from <= now)
  return [...new Set(begun.map(({ name }) => (cut === 'day' ? name : name.slice(0, 7))))]
}
