import {
  type Page,
  type TransferType,
  usdt,
  walletTransactionId,
  walletTransactionSeq,
  type WalletTransaction,
  type WalletTransactionQuery,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { pageOf } from '../page.ts'

// $1 tenant, $2 and $3 the time and `seq` before which, $4 and $5 the bounds in time, $6 which types
// of transfer, $7 how many rows.

const reading = (name: string, where: string): Statement => ({
  name,
  text: `
    with page as materialized (
      select t.type, t.amount, t.available_after::numeric + t.held_after as balance_after,
        t.payout_id, t.deposit_id, t.seq, t.created_at
      from quipu.transfer t
      where t.tenant_id = $1 and (t.created_at, t.seq) < ($2, $3)
        and t.created_at >= $4 and t.created_at <= $5 and t.type = any ($6) and ${where}
      order by t.created_at desc, t.seq desc limit $7
    )
    select page.*, (
      select p.transaction_id from quipu.payout p
      where p.tenant_id = $1 and p.id = page.payout_id
    ) as transaction_id
    from page
    order by page.created_at desc, page.seq desc`,
})

const readAll = reading('wallet.transactions', 't.seq is not null')
/** Has an index of its own, so that few of these among many payouts are found at once. */
const readAllButPayouts = reading(
  'wallet.transactions_but_payouts',
  `t.type in ('deposit', 'adjustment_in', 'adjustment_out')`,
)

export const transactionStatements: readonly Statement[] = [readAll, readAllButPayouts]

type MovingType = Exclude<TransferType, 'hold' | 'release'>

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

/** What moved in and out of a wallet, newest first. */
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
  const statement = types.includes('capture') ? readAll : readAllButPayouts
  const rows = await database.read<TransactionRow>(statement, values)
  return pageOf(
    rows.map((row) => transactionFromRow(tenantId, row)),
    limit,
  )
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
