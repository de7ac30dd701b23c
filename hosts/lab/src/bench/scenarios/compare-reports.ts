import {
  balanceLines,
  namedPeriod,
  type Period,
  type ReportStore,
  type Timezone,
  timezones,
} from '@quipu/core/operator'
import type pg from 'pg'

type Sums = {
  completed: number
  target: bigint
  source: bigint
  spread: bigint
  fee: bigint
  ended: number
  back: bigint
}

type Raw = {
  readonly tenant_id: string
  readonly at: Date
  /** Null: it ended before it was accepted. */
  readonly captured: string | null
  readonly refunded: string | null
  readonly target: string
  readonly principal: string
  readonly fee: string
  readonly bid: string
}

/** Postings and quotes, row by row: no sum and no rounding is the database's. */
const rawRows = `
  select e.tenant_id, e.ended_at as at, c.amount as captured, null as refunded, q.target, q.principal, q.fee, q.bid
  from quipu.payout_end e
  join quipu.payout p on p.tenant_id = e.tenant_id and p.id = e.payout_id
  join quipu.quote q on q.id = p.quote_id and q.tenant_id = p.tenant_id
  left join quipu.posting c on c.payout_id = e.payout_id and c.tenant_id = e.tenant_id and c.type = 'capture'
  union all
  select a.tenant_id, c.posted_at, null, c.amount, q.target, q.principal, q.fee, q.bid
  from quipu.posting c
  join quipu.adjustment a on a.id = c.adjustment_id and a.tenant_id = c.tenant_id
  join quipu.payout p on p.id = a.payout_id and p.tenant_id = a.tenant_id
  join quipu.quote q on q.id = p.quote_id and q.tenant_id = p.tenant_id`

const keysOf = ({ tenant_id: tenant, at }: Raw, timezone: Timezone) => {
  const local = new Date(at.getTime() - (timezone === 'UTC' ? 0 : 14_400_000)).toISOString()
  return { tenant, day: local.slice(0, 10), month: local.slice(0, 7) }
}

/** Compares every report of a month in both zones with a recomputation. @returns what differs */
export async function compareReports(
  db: pg.Client,
  reports: ReportStore,
  month: string,
): Promise<{ readonly differences: readonly string[]; readonly rows: number }> {
  const { rows: raw } = await db.query<Raw>(rawRows)
  const differences: string[] = []
  let rows = 0
  for (const timezone of timezones) {
    const period = namedPeriod(month, timezone) as Period
    const within = raw.filter(({ at }) => at >= period.from && at < period.to)
    for (const cut of ['tenant', 'day', 'month'] as const) {
      const [payouts, refunds] = [await reports.payouts(period, cut), await reports.refunds(period, cut)]
      const wanted = Map.groupBy(within, (row) => keysOf(row, timezone)[cut])
      for (const key of [...wanted.keys(), null]) {
        const expected = recomputed(key === null ? within : (wanted.get(key) ?? []))
        const found = foundSums(
          payouts.find((row) => row.key === key),
          refunds.find((row) => row.key === key),
        )
        if (text(found) !== text(expected))
          differences.push(`${cut} ${key} ${timezone}: ${text(found)} and not ${text(expected)}`)
        rows += 1
      }
    }
  }
  const books = await reports.books(null)
  const owed = await owedOf(db)
  const stored = books.stored.available.minor + books.stored.held.minor
  if (owed !== stored) differences.push(`wallets have ${stored} and not ${owed}`)
  for (const { side, amount } of balanceLines(books, new Date(), {}))
    if (side === 'unexplained' && amount.minor !== 0n)
      differences.push(`${amount.minor} of ${amount.currency} are unexplained`)
  return { differences, rows }
}

const text = (sums: Sums): string =>
  Object.entries(sums)
    .map(([name, value]) => `${name}=${value}`)
    .join()

function recomputed(rows: readonly Raw[]): Sums {
  const sums: Sums = { completed: 0, target: 0n, source: 0n, spread: 0n, fee: 0n, ended: 0, back: 0n }
  for (const { captured, refunded, ...quote } of rows) {
    const [target, principal, fee, bid] = [quote.target, quote.principal, quote.fee, quote.bid].map(BigInt) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ]
    // The largest whole micro-USDT that is at most principal − target / bid.
    const scaled = principal * bid - target * 10n ** 8n
    const spread = scaled / bid
    if (refunded !== null) {
      const back = BigInt(refunded) - (principal - spread)
      sums.back += back < 0n ? 0n : back
      continue
    }
    sums.ended += 1
    if (captured === null) continue
    sums.completed += 1
    sums.target += target
    sums.source += BigInt(captured)
    sums.spread += spread
    sums.fee += fee
  }
  return sums
}

function foundSums(
  payouts: Awaited<ReturnType<ReportStore['payouts']>>[number] | undefined,
  refunds: Awaited<ReturnType<ReportStore['refunds']>>[number] | undefined,
): Sums {
  return {
    completed: payouts?.completed ?? 0,
    target: payouts?.target.minor ?? 0n,
    source: payouts?.source.minor ?? 0n,
    spread: payouts?.spread.minor ?? 0n,
    fee: payouts?.fee.minor ?? 0n,
    ended: payouts?.outcomes.reduce((sum, { count }) => sum + count, 0) ?? 0,
    back: (refunds?.spread.minor ?? 0n) + (refunds?.fee.minor ?? 0n),
  }
}

/** The tenants' balances by every posting. */
async function owedOf(db: pg.Client): Promise<bigint> {
  const { rows } = await db.query<{ debit: string; credit: string; amount: string }>(
    'select debit, credit, amount from quipu.posting',
  )
  const isOwed = (account: string): boolean => account === 'available' || account === 'held'
  return rows.reduce((sum, { debit, credit, amount }) => {
    const moved = BigInt(amount)
    return sum + (isOwed(credit) ? moved : 0n) - (isOwed(debit) ? moved : 0n)
  }, 0n)
}
