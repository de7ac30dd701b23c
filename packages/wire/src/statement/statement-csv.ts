import { toDecimal, type Usdt, usdt, type WalletTransaction } from '@quipu/core'
import type { StatementDay, StatementStream } from '@quipu/core/operator'
import { csvLine } from '../csv/csv.ts'
import { instantToJson } from '../json/instant.ts'
import { walletTransactionToJson } from '../ledger/wallet-transaction.ts'

const columns = [
  'record',
  'created_at',
  'id',
  'direction',
  'type',
  'currency',
  'amount',
  'balance_after',
  'payout_id',
  'deposit_id',
  'transaction_id',
] as const

type Row = Partial<Record<(typeof columns)[number], string | null>>

/**
 * A statement as CSV (RFC 4180), chunk by chunk: a header, a row `opening`, a row `transaction` for each wallet
 * transaction, oldest first, and a row `closing`. A text without its row `closing` is incomplete.
 *
 * Columns are only ever added at the end. A text that a spreadsheet would run as a formula begins with an apostrophe.
 *
 * @throws Error when the rows of a closed day do not add up to its closing balance
 */
export async function* statementCsv(
  day: StatementDay,
  { opening, closing, status, chunks }: StatementStream,
): AsyncGenerator<string> {
  yield lineOf(Object.fromEntries(columns.map((column) => [column, column])))
  yield lineOf(balanceRow('opening', day.start, opening))
  let balance = opening
  for await (const chunk of chunks) {
    balance = chunk.reduce(balanceAfter, balance)
    yield chunk.map((row) => lineOf(transactionRow(row))).join('')
  }
  if (status === 'closed' && balance.minor !== closing.minor)
    throw new Error(`the transactions of ${day.date} do not add up to its closing balance`)
  yield lineOf(balanceRow('closing', day.end, balance))
}

const balanceAfter = (balance: Usdt, { direction, amount }: WalletTransaction): Usdt =>
  usdt(direction === 'in' ? balance.minor + amount.minor : balance.minor - amount.minor)

const balanceRow = (record: 'opening' | 'closing', at: Date, balance: Usdt): Row => ({
  record,
  created_at: instantToJson(at),
  currency: 'USDT',
  balance_after: toDecimal(balance),
})

const transactionRow = (row: WalletTransaction): Row => ({ record: 'transaction', ...walletTransactionToJson(row) })

const lineOf = (row: Row): string => csvLine(columns.map((column) => row[column] ?? ''))
