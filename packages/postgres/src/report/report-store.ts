import { bob, rate, usdt } from '@quipu/core'
import {
  type OutcomeCount,
  type Period,
  type PayoutSums,
  type RawPayout,
  type RawRefund,
  type RefundSums,
  type ReportCut,
  type ReportStore,
  zoneOffsetMs,
} from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'
import { postgresBooks } from './books.ts'
import { lowestEventId } from '../page.ts'

// Parameters of both sums: $1 from, $2 to, $3 seconds of the zone, $4 characters of a day's name, 0 for tenants,
// $5 the only tenant or null.
const keyOf = (tenant: string, at: string): string =>
  `case when $4::int = 0 then ${tenant}
      else left(to_char((${at} at time zone 'UTC') + $3::int * interval '1 second', 'YYYY-MM-DD'), $4::int) end`

/**
 * Each tenant's log is searched by time. Wallets are few beside payouts; those without a later entry are left out. One
 * array, so that one search of the index has the rows of all.
 */
const walletsOf = (also: string): string =>
  `any (array(select w.tenant_id from quipu.wallet w where w.logged_at >= $1 and w.moved_to is null ${also}))`
const wallets = walletsOf('')
const walletsAsked = walletsOf('and ($5::text is null or w.tenant_id = $5)')

const quoteOf = (payout: string, tenant: string): string =>
  `select q.principal, q.fee, q.bid, q.target from quipu.quote q where q.id = ${payout}.quote_id and q.tenant_id = ${tenant} limit 1`

/** One reading for amounts, outcomes and times: grouping sets, so that the rows are read once. */
const payoutSums: Statement = {
  name: 'report.payouts',
  sumsMany: true,
  text: `
    with ended as (
      select ${keyOf('e.tenant_id', 'e.ended_at')} as key, e.status, e.error_code, e.amount,
        -- Two clocks date the two.
        greatest(round(extract(epoch from e.ended_at - p.accepted_at) * 1000), 0)::float8 as ms,
        p.target, q.fee, q.principal - quipu.quote_cost(q.target, q.bid) as spread
      from (
        select * from quipu.payout_end e
        where e.tenant_id = ${walletsAsked} and e.ended_at >= $1 and e.ended_at < $2 offset 0
      ) e
      cross join lateral (
        select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id limit 1
      ) p
      left join lateral (${quoteOf('p', 'e.tenant_id')}) q on e.status = 'completed'
    )
    select s.*, case when $4::int = 0 then (select t.legal_name from quipu.tenant t where t.id = s.key) end as name
    from (
      select key, status, error_code, grouping(key) = 1 as is_total, grouping(status) = 0 as is_outcome, count(*) as count,
        count(*) filter (where status = 'completed') as completed,
        coalesce(sum(target) filter (where status = 'completed'), 0) as target,
        coalesce(sum(amount) filter (where status = 'completed'), 0) as source,
        coalesce(sum(fee), 0) as fee, coalesce(sum(spread), 0) as spread,
        case when grouping(status) = 1 then percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ms) end as answers
      from ended group by grouping sets ((key), (), (key, status, error_code), (status, error_code))
    ) s
    order by s.key nulls last, s.status, s.error_code nulls first`,
}

const refundsOf = (tenants: string): string => `
      select f.tenant_id, f.logged_at, a.amount, p.quote_id
      from (
        select * from quipu.funding_entry f
        where f.tenant_id = ${tenants} and f.type = 'adjustment_in' and f.logged_at >= $1 and f.logged_at < $2 offset 0
      ) f
      cross join lateral (
        select * from quipu.adjustment a where a.tenant_id = f.tenant_id and a.id = f.subject_id limit 1
      ) a
      cross join lateral (
        select * from quipu.payout p where p.tenant_id = f.tenant_id and p.id = a.payout_id limit 1
      ) p`

const refundSums: Statement = {
  name: 'report.refunds',
  sumsMany: true,
  text: `
    select s.*, case when $4::int = 0 then (select t.legal_name from quipu.tenant t where t.id = s.key) end as name
    from (
      select r.key, grouping(r.key) = 1 as is_total, count(*) as refunds, coalesce(sum(r.amount), 0) as amount,
        coalesce(sum(least(r.back, r.spread)), 0) as spread,
        coalesce(sum(least(r.back - least(r.back, r.spread), r.fee)), 0) as fee
      from (
        select ${keyOf('f.tenant_id', 'f.logged_at')} as key, f.amount, q.fee,
          q.principal - quipu.quote_cost(q.target, q.bid) as spread,
          greatest(f.amount - quipu.quote_cost(q.target, q.bid), 0) as back
        from (${refundsOf(walletsAsked)}) f
        cross join lateral (${quoteOf('f', 'f.tenant_id')}) q
      ) r
      group by grouping sets ((r.key), ())
    ) s
    order by s.key nulls last`,
}

/** By the ids of events, not by tenants and time. Parameters: $1 exclusive lower id, $2 upper id, $3 number of rows. */
const rawPayouts: Statement = {
  name: 'report.raw_payouts',
  sumsMany: true,
  text: `
    select e.event_id, e.payout_id, e.tenant_id, e.ended_at, e.amount as captured, q.principal, q.fee, q.bid,
      p.target, w.is_elsewhere
    from (
      select * from quipu.payout_events($1::uuid, $2::uuid) e
      where e.status = 'completed' and e.event_id > $1::uuid order by e.event_id limit $3
    ) e
    cross join lateral (
      select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id limit 1
    ) p
    cross join lateral (${quoteOf('p', 'e.tenant_id')}) q
    cross join lateral (select w.moved_to is not null as is_elsewhere from quipu.wallet w where w.tenant_id = e.tenant_id) w
    order by e.event_id`,
}

const rawRefunds: Statement = {
  name: 'report.raw_refunds',
  sumsMany: true,
  text: `
    select f.tenant_id, f.logged_at as at, f.amount, q.principal, q.fee, q.bid, q.target
    from (${refundsOf(wallets)}) f cross join lateral (${quoteOf('f', 'f.tenant_id')}) q`,
}

export const reportStatements: readonly Statement[] = [payoutSums, refundSums, rawPayouts, rawRefunds]

const pageSize = 5_000

type SumRow = {
  readonly key: string | null
  readonly name: string | null
  readonly is_total: boolean
  readonly is_outcome: boolean
  readonly status: OutcomeCount['status']
  readonly error_code: OutcomeCount['errorCode']
  readonly count: bigint
  readonly completed: bigint
  readonly target: bigint
  readonly source: bigint
  readonly fee: bigint
  readonly spread: bigint
  readonly answers: readonly [number, number, number] | null
}

type RefundRow = Pick<SumRow, 'key' | 'name' | 'fee' | 'spread'> & { readonly refunds: bigint; readonly amount: bigint }

type QuoteRow = { readonly principal: bigint; readonly fee: bigint; readonly bid: bigint; readonly target: bigint }
type RawRow = QuoteRow & {
  readonly event_id: string
  readonly payout_id: string
  readonly tenant_id: string
  readonly ended_at: Date
  readonly captured: bigint
  readonly is_elsewhere: boolean
}
type RawRefundRow = QuoteRow & { readonly tenant_id: string; readonly at: Date; readonly amount: bigint }

const keyLengths: Readonly<Record<ReportCut, number>> = { tenant: 0, day: 10, month: 7 }

const valuesOf = ({ from, to, timezone }: Period, cut: ReportCut, tenantId: string | undefined) => [
  from,
  to,
  zoneOffsetMs(timezone) / 1_000,
  keyLengths[cut],
  tenantId ?? null,
]

/** Reports in PostgreSQL. */
export const postgresReportStore = (database: Database): ReportStore => ({
  payouts: async (period, cut, tenantId) => {
    const rows = await database.list<SumRow>(payoutSums, valuesOf(period, cut, tenantId))
    const outcomes = Map.groupBy(
      rows.filter(({ is_outcome }) => is_outcome),
      ({ key }) => key,
    )
    return rows
      .filter(({ is_outcome, count }) => !is_outcome && count > 0n)
      .map((row) => sumsOf(row, outcomes.get(row.key) ?? []))
  },
  refunds: async (period, cut, tenantId) => {
    const rows = await database.list<RefundRow>(refundSums, valuesOf(period, cut, tenantId))
    return rows.filter(({ refunds }) => refunds > 0n).map(refundSumsOf)
  },
  ...postgresBooks(database),
  rawPayouts: (period) => rawPages(database, period),
  rawRefunds: async ({ from, to }) => {
    const rows = await database.list<RawRefundRow>(rawRefunds, [from, to])
    return rows.map((row): RawRefund => ({
      ...quoteFromRow(row),
      tenantId: row.tenant_id,
      at: row.at,
      amount: usdt(row.amount),
    }))
  },
})

const sumsOf = (row: SumRow, outcomes: readonly SumRow[]): PayoutSums => ({
  key: row.key,
  name: row.name,
  completed: Number(row.completed),
  target: bob(row.target),
  source: usdt(row.source),
  fee: usdt(row.fee),
  spread: usdt(row.spread),
  outcomes: outcomes.map(({ status, error_code: errorCode, count }) => ({ status, errorCode, count: Number(count) })),
  answers: row.answers && { median: row.answers[0], p95: row.answers[1], p99: row.answers[2] },
})

const refundSumsOf = ({ key, name, refunds, amount, spread, fee }: RefundRow): RefundSums => ({
  key,
  name,
  refunds: Number(refunds),
  amount: usdt(amount),
  spread: usdt(spread),
  fee: usdt(fee),
})

const quoteFromRow = ({ principal, fee, bid, target }: QuoteRow) => ({
  principal: usdt(principal),
  fee: usdt(fee),
  bid: rate(bid),
  target: bob(target),
})

/** In steps of an hour: each statement sorts its step. */
async function* rawPages(
  database: Database,
  { from, to }: Pick<Period, 'from' | 'to'>,
): AsyncGenerator<readonly RawPayout[]> {
  for (let start = from.getTime(); start < to.getTime(); start += 3_600_000) {
    const until = lowestEventId(Math.min(start + 3_600_000, to.getTime()))
    let after: string | undefined = lowestEventId(start)
    while (after !== undefined) {
      const rows: readonly RawRow[] = await database.list<RawRow>(rawPayouts, [after, until, pageSize])
      if (rows.length > 0) yield rows.filter((row) => !row.is_elsewhere).map(rawFromRow)
      after = rows.length < pageSize ? undefined : rows.at(-1)?.event_id
    }
  }
}

const rawFromRow = (row: RawRow): RawPayout => ({
  ...quoteFromRow(row),
  payoutId: row.payout_id,
  tenantId: row.tenant_id,
  endedAt: row.ended_at,
  captured: usdt(row.captured),
})
