import { type Page, usdt, type WalletTransaction } from '@quipu/core'
import {
  type TransferType,
  walletTransactionId,
  walletTransactionSeq,
  type WalletTransactionQuery,
} from '@quipu/core/adapter'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { scannedMax, scannedPageOf } from '../page.ts'

// Parameters: $1 tenant, $2 and $3 exclusive upper instant and `seq`, $4 and $5 inclusive bounds in time, $6 types of
// posting, $7 number of rows. The `seq`s of a page have gaps, as not every entry of the log moves money.

type MovingType = Exclude<TransferType, 'hold' | 'release'>

/** The ends of payouts. Nearly all payouts are completed, so these have no index of their own. */
const ends = `
      from quipu.payout_end e
      where 'capture' = any ($6) and e.tenant_id = $1
        and (e.ended_at, e.seq) < ($2, $3) and e.ended_at >= $4 and e.ended_at <= $5
      order by e.ended_at desc, e.seq desc`

/** The payout that an adjustment refunds. */
const refund = `(
        select a.payout_id from quipu.adjustment a where a.tenant_id = $1 and a.id = f.subject_id
      )`

const funding = (type: MovingType, entryType: string, depositId: string): string => `
      select '${type}', f.amount, f.available_after, f.held_after, ${type === 'adjustment_in' ? refund : 'null'},
        ${depositId}, f.seq, f.logged_at
      from quipu.funding_entry f
      where '${type}' = any ($6) and f.tenant_id = $1 and f.type = '${entryType}'
        and (f.logged_at, f.seq) < ($2, $3) and f.logged_at >= $4 and f.logged_at <= $5
      order by f.logged_at desc, f.seq desc limit $7`

/** Reads a page of each type by its own index, so that a rare type is found without reading the frequent ones. */
const eachFunding = [
  funding('deposit', 'deposit.credited', 'f.subject_id'),
  funding('adjustment_in', 'adjustment_in', 'null'),
  funding('adjustment_out', 'adjustment_out', 'null'),
].map((select) => `(${select}\n      )`)

export const readTransactions: Statement = statement('wallet.transactions')`
  with ended as materialized (
    select e.* ${ends} limit ${scannedMax}
  ), captures as materialized ( -- stops reading "ended" after $7 captures
    select 'capture' as type, e.amount, e.available_after, e.held_after, e.payout_id,
      null as deposit_id, e.seq, e.ended_at as logged_at
    from ended e where e.status = 'completed' limit $7
  ), last_scanned as materialized ( -- older entries belong on a later page
    select e.ended_at, e.seq from ended e
    where (select count(*) from captures) < $7 offset ${scannedMax - 1} limit 1
  ), page as materialized (
    select * from (select * from captures union all ${eachFunding.join(' union all ')}) m
    where not exists (select from last_scanned s where (m.logged_at, m.seq) < (s.ended_at, s.seq))
    order by m.logged_at desc, m.seq desc limit $7
  )
  select page.type, page.amount, page.available_after::numeric + page.held_after as balance_after,
    page.payout_id, page.deposit_id, page.seq, page.logged_at as created_at, (
      select p.transaction_id from quipu.payout p
      where p.tenant_id = $1 and p.id = page.payout_id
    ) as transaction_id
  from page
  order by page.logged_at desc, page.seq desc`

const lastScanned = statement('wallet.transactions_last_scanned')`
  select e.ended_at as created_at, e.seq ${ends} offset ${scannedMax - 1} limit 1`

const movements: Readonly<Record<MovingType, Pick<WalletTransaction, 'direction' | 'type'>>> = {
  capture: { direction: 'out', type: 'payout' },
  deposit: { direction: 'in', type: 'deposit' },
  adjustment_in: { direction: 'in', type: 'adjustment' },
  adjustment_out: { direction: 'out', type: 'adjustment' },
}
const movingTypes = ['capture', 'deposit', 'adjustment_in', 'adjustment_out'] as const

type TransactionRow = {
  readonly type: MovingType
  readonly amount: bigint
  readonly balance_after: bigint
  readonly payout_id: string | null
  readonly deposit_id: string | null
  readonly transaction_id: string | null
  readonly seq: bigint
  readonly created_at: Date
}

type ScannedRow = Pick<TransactionRow, 'created_at' | 'seq'>

/** The movements in and out of a wallet, newest first. */
export async function walletTransactions(
  database: Database,
  tenantId: string,
  query: WalletTransactionQuery,
): Promise<Page<WalletTransaction>> {
  const { after, from, to, limit } = query
  const types = movingTypes.filter((each) => isWanted(each, query))
  const seq = after && walletTransactionSeq(after.id)
  const values = [
    tenantId,
    after?.createdAt ?? 'infinity',
    seq ?? 0n,
    from ?? '-infinity',
    to ?? 'infinity',
    types,
    limit + 1,
  ]
  const rows = await database.list<TransactionRow>(readTransactions, values)
  const items = rows.map((row) => transactionFromRow(tenantId, row))
  return scannedPageOf(items, limit, async () => {
    const [last] = await database.list<ScannedRow>(lastScanned, values.slice(0, 6))
    if (last === undefined) return undefined
    const { created_at: createdAt, seq: lastSeq } = last
    return { createdAt, id: walletTransactionId(tenantId, createdAt, lastSeq) }
  })
}

const isWanted = (each: MovingType, { direction, type }: WalletTransactionQuery): boolean =>
  (type === undefined || movements[each].type === type) &&
  (direction === undefined || movements[each].direction === direction)

const transactionFromRow = (tenantId: string, row: TransactionRow): WalletTransaction => ({
  seq: row.seq,
  id: walletTransactionId(tenantId, row.created_at, row.seq),
  ...movements[row.type],
  amount: usdt(row.amount),
  balanceAfter: usdt(row.balance_after),
  payoutId: row.payout_id,
  depositId: row.deposit_id,
  transactionId: row.transaction_id,
  createdAt: row.created_at,
})
