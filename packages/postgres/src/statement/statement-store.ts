import { bob, rate, usdt, type WalletTransaction } from '@quipu/core'
import { walletTransactionId, walletTransactionSeq } from '@quipu/core/adapter'
import type { StatementPayment, StatementMovement, StatementStore } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { type PayoutDetails, qrFromDetails } from '../payout/payout-details.ts'

/**
 * The newest checkpoint before each instant and the entries since. A checkpoint is added every 10,000 entries,
 * which bounds what is read.
 */
const balancesBefore = statement('statement.balances_before')`
  select coalesce(c.balance, 0) + coalesce(since.balance, 0) as balance
  from unnest($2::timestamptz[]) with ordinality i (at, n)
  left join lateral (
    select c.through_at, c.through_seq,
      c.deposit - c.capture + c.adjustment_in - c.adjustment_out as balance
    from quipu.balance_checkpoint c
    where c.tenant_id = $1 and c.through_at < i.at
    order by c.through_at desc, c.through_seq desc limit 1
  ) c on true
  cross join lateral (
    select sum(coalesce(m.deposit, m.adjustment_in, -m.capture, -m.adjustment_out)) as balance
    from quipu.log_movement m
    where m.tenant_id = $1 and m.logged_at < i.at
      and (m.logged_at, m.seq) > (coalesce(c.through_at, '-infinity'), coalesce(c.through_seq, 0))
      -- Excludes nothing. Of a range the planner expects few rows, and so it uses the log's index.
      and m.logged_at >= coalesce(c.through_at, '-infinity')
  ) since
  order by i.n`

/** Both parts are read by their own index and limited, so that neither is sorted; the limited rows find their payouts. */
const readEntries = statement('statement.entries')`
  select e.*, p.transaction_id, p.target, p.details, q.rate, q.fee
  from (
    select e.* from (
      (
        select seq, ended_at as logged_at, case status when 'completed' then 'capture' end as type,
          amount, available_after::numeric + held_after as balance_after, payout_id, null as deposit_id,
          network_payment_id
        from quipu.payout_end
        where tenant_id = $1 and (ended_at, seq) > ($2, $3) and ended_at < $4
        order by ended_at, seq limit $5
      ) union all (
        select seq, logged_at, case type when 'deposit.credited' then 'deposit'
            when 'adjustment_in' then type when 'adjustment_out' then type end,
          amount, available_after::numeric + held_after, null, subject_id, null
        from quipu.funding_entry
        where tenant_id = $1 and (logged_at, seq) > ($2, $3) and logged_at < $4
        order by logged_at, seq limit $5
      )
    ) e
    order by e.logged_at, e.seq limit $5
  ) e
  left join quipu.payout p on e.type = 'capture' and p.tenant_id = $1 and p.id = e.payout_id
  left join quipu.quote q on q.tenant_id = $1 and q.id = p.quote_id
  order by e.logged_at, e.seq`

type MovingType = 'capture' | 'deposit' | 'adjustment_in' | 'adjustment_out'

type EntryRow = {
  readonly seq: bigint
  readonly logged_at: Date
  /** Null for an entry that moved nothing in or out. */
  readonly type: MovingType | null
  readonly amount: bigint
  readonly balance_after: bigint
  readonly payout_id: string | null
  readonly deposit_id: string
  /** These are null but for a capture. */
  readonly transaction_id: string | null
  readonly target: bigint
  readonly details: PayoutDetails
  readonly rate: bigint
  readonly fee: bigint
  readonly network_payment_id: string | null
}

/** Statements in PostgreSQL. */
export const postgresStatementStore = (database: Database): StatementStore => ({
  balancesBefore: async (tenantId, instants) => {
    const rows = await database.list<{ balance: bigint }>(balancesBefore, [tenantId, instants])
    return rows.map(({ balance }) => usdt(balance))
  },
  transactions: async (tenantId, { from, to, after, limit }) => {
    const seq = after && walletTransactionSeq(after.id)
    const values = [tenantId, after?.createdAt ?? from, seq ?? 0n, to, limit]
    const rows = await database.list<EntryRow>(readEntries, values)
    const last = rows.at(-1)
    const isMore = last !== undefined && rows.length === limit
    return {
      items: rows.flatMap((row) => transactionFromRow(tenantId, row) ?? []),
      next: isMore ? { createdAt: last.logged_at, id: walletTransactionId(tenantId, last.logged_at, last.seq) } : null,
    }
  },
})

const movements: Readonly<Record<MovingType, Pick<WalletTransaction, 'direction' | 'type'>>> = {
  capture: { direction: 'out', type: 'payout' },
  deposit: { direction: 'in', type: 'deposit' },
  adjustment_in: { direction: 'in', type: 'adjustment' },
  adjustment_out: { direction: 'out', type: 'adjustment' },
}

const transactionFromRow = (tenantId: string, row: EntryRow): StatementMovement | undefined =>
  row.type === null
    ? undefined
    : {
        seq: row.seq,
        id: walletTransactionId(tenantId, row.logged_at, row.seq),
        ...movements[row.type],
        amount: usdt(row.amount),
        balanceAfter: usdt(row.balance_after),
        payoutId: row.payout_id,
        depositId: row.type === 'deposit' ? row.deposit_id : null,
        transactionId: row.transaction_id,
        createdAt: row.logged_at,
        payment: row.type === 'capture' ? paymentFromRow(row) : null,
      }

const paymentFromRow = ({ target, details, ...row }: EntryRow): StatementPayment => ({
  target: bob(target),
  rate: rate(row.rate),
  fee: usdt(row.fee),
  merchant: qrFromDetails(details)?.merchant ?? null,
  networkPaymentId: row.network_payment_id,
})
