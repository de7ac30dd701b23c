import { bob, usdt } from '@quipu/core'
import type { Books, LiquidityRecord, MovementLine, ReportStore } from '@quipu/core/operator'
import { type Database, type Statement, statement } from '../connection/database.ts'

// Parameter $1 of both: the instant; null: now.
const before = (at: string): string => `($1::timestamptz is null or ${at} < $1)`

/** The newest checkpoint of each wallet and the entries since, as in a statement. */
const readBooks: Statement = {
  name: 'report.books',
  sumsMany: true,
  text: `
    select l.*, p.paid + s.corrected as paid, r.repaid, d.received, d.returned, d.swept, d.chain
    from (
      select coalesce(sum(w.available), 0) as available, coalesce(sum(w.held), 0) as held,
        coalesce(sum(c.deposit), 0) + coalesce(sum(m.deposit), 0) as deposited,
        coalesce(sum(c.capture), 0) + coalesce(sum(m.capture), 0) as captured,
        coalesce(sum(c.adjusted), 0) + coalesce(sum(m.adjusted), 0) as adjusted
      from quipu.wallet w
      left join lateral (
        select c.through_at, c.through_seq, c.deposit, c.capture, c.adjustment_in - c.adjustment_out as adjusted
        from quipu.balance_checkpoint c
        where c.tenant_id = w.tenant_id and c.through_at < coalesce($1::timestamptz, 'infinity')
        order by c.through_at desc, c.through_seq desc limit 1
      ) c on true
      cross join lateral (
        select sum(m.deposit) as deposit, sum(m.capture) as capture,
          sum(coalesce(m.adjustment_in, -m.adjustment_out)) as adjusted
        from quipu.log_movement m
        where m.tenant_id = w.tenant_id and m.logged_at < coalesce($1::timestamptz, 'infinity')
          and (m.logged_at, m.seq) > (coalesce(c.through_at, '-infinity'), coalesce(c.through_seq, 0))
          and m.logged_at >= coalesce(c.through_at, '-infinity')
      ) m
      where w.moved_to is null
    ) l
    cross join lateral (
      select coalesce(sum(p.target), 0) as paid
      from quipu.wallet w
      cross join lateral (
        select e.payout_id from quipu.payout_end e
        where e.tenant_id = w.tenant_id and e.status = 'completed' and e.ended_at < coalesce($1::timestamptz, 'infinity')
        offset 0
      ) e
      cross join lateral (
        select p.target from quipu.payout p where p.tenant_id = w.tenant_id and p.id = e.payout_id limit 1
      ) p
      where w.moved_to is null
    ) p
    cross join lateral (
      -- Evidence may show that the network paid another amount than ordered.
      select coalesce(sum((r.details ->> 'paid_minor')::bigint - p.target), 0) as corrected
      from quipu.proposal r
      join quipu.payout_end e on e.payout_id = r.subject and e.tenant_id = r.tenant_id and e.status = 'completed'
      join quipu.payout p on p.tenant_id = e.tenant_id and p.id = e.payout_id
      where r.status = 'executed' and r.action = 'settle_payout' and r.details ? 'paid_minor' and ${before('e.ended_at')}
    ) s
    cross join lateral (
      select coalesce(sum(p.target), 0) as repaid
      from quipu.adjustment a
      join quipu.payout p on p.tenant_id = a.tenant_id and p.id = a.payout_id
      where a.payout_id is not null and ${before('a.created_at')}
    ) r
    cross join lateral (
      select
        (select coalesce(sum(d.amount), 0) from quipu.deposit d where d.solid = 'confirmed' and ${before('d.solid_at')}) as received,
        (select coalesce(sum(t.amount), 0) from quipu.deposit_return t where ${before('t.returned_at')}) as returned,
        (select coalesce(sum(t.amount), 0) from quipu.sweep_transfer t where t.status = 'solid' and ${before('t.ended_at')}) as swept,
        (select coalesce(sum(f.found_amount - f.expected_amount), 0) from quipu.difference f
          where f.check_name = 'chain' and f.status = 'open') as chain
    ) d`,
}

const readLines = statement('report.treasury_lines')`
  select l.account, l.against, sum(l.amount) as amount from quipu.treasury_line l
  where ${before('l.at')} group by l.account, l.against order by l.account, l.against`

const readPosition = statement('report.position')`
  select (select coalesce(sum(d.amount), 0) from quipu.deposit d where d.status = 'credited')
    - (select coalesce(sum(w.available), 0) + coalesce(sum(w.held), 0) from quipu.wallet w where w.moved_to is null)
    + (select coalesce(sum(l.amount), 0) from quipu.treasury_line l where l.account = 'treasury') as position`

// Decided by migrations/0043-reports.sql.
const recordLiquidity = statement('record_liquidity')`select quipu.record_liquidity($1, $2)`

const readLiquidity = statement('report.liquidity')`
  select r.at, r.available from quipu.liquidity_reading r
  where r.hour >= least(date_trunc('hour', $1::timestamptz, 'UTC'), (select max(n.hour) from quipu.liquidity_reading n))
  order by r.hour`

type Sums = Readonly<
  Record<
    | 'available'
    | 'held'
    | 'deposited'
    | 'captured'
    | 'adjusted'
    | 'paid'
    | 'repaid'
    | 'received'
    | 'returned'
    | 'swept'
    | 'chain',
    bigint
  >
>
type LineRow = Omit<MovementLine, 'amount'> & { readonly amount: bigint }

/** The sums of trial balance and exposure, and the readings of liquidity, in PostgreSQL. */
export const postgresBooks = (
  database: Database,
): Pick<ReportStore, 'books' | 'position' | 'recordLiquidity' | 'liquidity'> => ({
  books: async (at) => {
    const [sums] = await database.list<Sums>(readBooks, [at])
    const lines = await database.list<LineRow>(readLines, [at])
    if (sums === undefined) throw new Error('the statement returned no row')
    return booksFromRow(sums, lines)
  },
  position: async () => {
    const [row] = await database.read<{ position: bigint }>(readPosition, [])
    return usdt(row?.position ?? 0n)
  },
  recordLiquidity: async ({ available, at }) => {
    await database.query(recordLiquidity, [available.minor.toString(), at])
  },
  liquidity: async (since) => {
    const rows = await database.read<{ at: Date; available: bigint }>(readLiquidity, [since])
    return rows.map(({ at, available }): LiquidityRecord => ({ at, available: bob(available) }))
  },
})

const booksFromRow = (row: Sums, lines: readonly LineRow[]): Books => ({
  stored: { available: usdt(row.available), held: usdt(row.held) },
  deposited: usdt(row.deposited),
  captured: usdt(row.captured),
  adjusted: usdt(row.adjusted),
  received: usdt(row.received),
  returned: usdt(row.returned),
  swept: usdt(row.swept),
  chainDifference: usdt(row.chain),
  paid: bob(row.paid),
  repaid: bob(row.repaid),
  moved: lines.map(({ account, against, amount }) => ({
    account,
    against,
    amount: account === 'treasury' ? usdt(amount) : bob(amount),
  })),
})
