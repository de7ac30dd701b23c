import { bob, type Payout, type Quote, usdt } from '@quipu/core'
import {
  type AnswerTimes,
  dayAt,
  type OutcomeCount,
  payoutRevenue,
  type PayoutSums,
  type Period,
  type RawPayout,
  type RawRefund,
  type RefundSums,
  type ReportCut,
  type ReportStore,
  refundedRevenue,
} from '@quipu/core/operator'
import { memoryBooks } from './books.ts'
import type { Database, TenantData } from '../table/database.ts'

type Ended = {
  readonly tenant: TenantData
  readonly payout: Exclude<Payout, { status: 'processing' }>
  readonly quote: Quote | undefined
}

/** Reports of the contents. */
export const memoryReportStore = (database: Database): ReportStore => ({
  payouts: async (period, cut, tenantId) =>
    cutBy(endedIn(only(database, tenantId), period), period, cut, ({ payout }) => payout.endedAt).map(
      ([key, name, rows]) => ({ key, name, ...payoutSumsOf(rows) }),
    ),
  refunds: async (period, cut, tenantId) =>
    cutBy(refundsIn(only(database, tenantId), period), period, cut, ({ at }) => at).map(
      ([key, name, rows]): RefundSums => {
        const back = rows.map((row) => refundedRevenue(row, row.amount))
        const parts = {
          spread: usdt(sum(back, ({ spread }) => spread.minor)),
          fee: usdt(sum(back, ({ fee }) => fee.minor)),
        }
        return { key, name, refunds: rows.length, amount: usdt(sum(rows, ({ amount }) => amount.minor)), ...parts }
      },
    ),
  ...memoryBooks(database),
  async *rawPayouts(period) {
    yield endedIn(database, period).flatMap(({ tenant, payout, quote }): RawPayout[] => {
      const captured = tenant.wallet.payoutPostings.get(payout.id)?.find(({ type }) => type === 'capture')
      if (!captured || !quote) return []
      const { target, bid, principal, fee } = quote
      const { id: payoutId, tenantId, endedAt } = payout
      return [{ target, bid, principal, fee, payoutId, tenantId, endedAt, captured: captured.amount }]
    })
  },
  rawRefunds: async (period) =>
    refundsIn(database, period).map(({ tenantId, at, amount, target, bid, principal, fee }) => ({
      tenantId,
      at,
      amount,
      target,
      bid,
      principal,
      fee,
    })),
})

type Bounds = Pick<Period, 'from' | 'to'>

type Tenants = Pick<Database, 'tenants'>

const only = ({ tenants }: Database, tenantId: string | undefined): Tenants => ({
  tenants: new Map([...tenants].filter(([id]) => tenantId === undefined || id === tenantId)),
})

const endedIn = ({ tenants }: Tenants, { from, to }: Bounds): Ended[] =>
  Array.from(tenants.values()).flatMap((tenant) =>
    Array.from(tenant.payouts.values()).flatMap(({ payout }) =>
      payout.status !== 'processing' && payout.endedAt >= from && payout.endedAt < to
        ? [{ tenant, payout, quote: tenant.quotes.get(payout.quoteId)?.quote }]
        : [],
    ),
  )

const refundsIn = ({ tenants }: Tenants, { from, to }: Bounds): (RawRefund & Pick<Ended, 'tenant'>)[] =>
  Array.from(tenants.values()).flatMap((tenant) =>
    tenant.wallet.transactions.flatMap(({ type, payoutId, amount, createdAt: at }) => {
      const payout = type === 'adjustment' && payoutId !== null && tenant.payouts.get(payoutId)?.payout
      const quote = payout && tenant.quotes.get(payout.quoteId)?.quote
      return quote && at >= from && at < to ? [{ ...quote, tenant, tenantId: tenant.tenant.id, at, amount }] : []
    }),
  )

/** The rows of each key, in its order, and of all. */
function cutBy<Row extends { readonly tenant: TenantData }>(
  rows: readonly Row[],
  { timezone }: Period,
  cut: ReportCut,
  at: (row: Row) => Date,
): [string | null, string | null, readonly Row[]][] {
  const keyOf = (row: Row) =>
    cut === 'tenant' ? row.tenant.tenant.id : dayAt(at(row), timezone).slice(0, cut === 'day' ? 10 : 7)
  const keyed = Array.from(Map.groupBy(rows, keyOf)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const cuts = keyed.map(([key, some]): [string, string | null, readonly Row[]] => [
    key,
    cut === 'tenant' ? (some[0]?.tenant.tenant.legalName ?? null) : null,
    some,
  ])
  return rows.length === 0 ? [] : [...cuts, [null, null, rows]]
}

function payoutSumsOf(rows: readonly Ended[]): Omit<PayoutSums, 'key' | 'name'> {
  const paid = rows.flatMap(({ payout, quote }) => (payout.status === 'completed' && quote ? [quote] : []))
  const revenues = paid.map(payoutRevenue)
  return {
    completed: paid.length,
    target: bob(sum(paid, ({ target }) => target.minor)),
    source: usdt(sum(paid, ({ source }) => source.minor)),
    spread: usdt(sum(revenues, ({ spread }) => spread.minor)),
    fee: usdt(sum(revenues, ({ fee }) => fee.minor)),
    outcomes: outcomesOf(rows),
    answers: answersOf(rows),
  }
}

function outcomesOf(rows: readonly Ended[]): readonly OutcomeCount[] {
  const named = Map.groupBy(
    rows,
    ({ payout }) => `${payout.status} ${'error' in payout ? (payout.error?.code ?? '') : ''}`,
  )
  return Array.from(named)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, some]) => {
      const [status, errorCode] = name.split(' ') as [OutcomeCount['status'], OutcomeCount['errorCode']]
      return { status, errorCode: errorCode || null, count: some.length }
    })
}

/** Nearest rank, as `percentile_disc`. */
function answersOf(rows: readonly Ended[]): AnswerTimes | null {
  const times = rows
    .flatMap(({ tenant, payout }) => {
      const hold = tenant.wallet.payoutPostings.get(payout.id)?.find(({ type }) => type === 'hold')
      return hold ? [Math.max(0, payout.endedAt.getTime() - hold.at.getTime())] : []
    })
    .toSorted((a, b) => a - b)
  const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) => times[Math.max(0, Math.ceil(share * times.length) - 1)])
  return median === undefined || p95 === undefined || p99 === undefined ? null : { median, p95, p99 }
}

const sum = <T>(items: readonly T[], minorOf: (item: T) => bigint): bigint =>
  items.reduce((total, item) => total + minorOf(item), 0n)
