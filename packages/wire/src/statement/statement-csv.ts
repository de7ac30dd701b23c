import { toDecimal, type Usdt, usdt } from '@quipu/core'
import { type StatementMovement, type StatementStream, zonedText } from '@quipu/core/operator'
import { z } from 'zod'
import { csvTable } from '../csv/csv.ts'
import { statementRow, statementRowToJson } from './statement.ts'

const { created_at, ...others } = statementRow.shape
/** The rows of the statement's JSON, between the kind of a record and the state of a balance. */
const table = csvTable(z.object({ record: z.string(), created_at, ...others, status: z.string() }))

/**
 * A statement as CSV, chunk by chunk: a header, a row `opening`, a row `transaction` for each wallet transaction, oldest
 * first, and a row `closing`. A text without its row `closing` is incomplete. Instants are in the statement's zone.
 *
 * Both balances say whether the statement is `open` or `final`; an open one closes at the instant of reading.
 *
 * @throws Error when the rows of a final period do not add up to its closing balance
 */
export async function* statementCsv(of: StatementStream): AsyncGenerator<string> {
  const { period, status, readAt, opening, closing, chunks } = of
  const { from, to, timezone } = period
  const balanceLine = (record: 'opening' | 'closing', at: Date, balance: Usdt): string => {
    const created_at = zonedText(at, timezone)
    return table.line({ record, currency: 'USDT', balance_after: toDecimal(balance), created_at, status })
  }
  const line = (row: StatementMovement): string => {
    const created_at = zonedText(row.createdAt, timezone)
    return table.line({ record: 'transaction', ...statementRowToJson(row), created_at })
  }
  yield table.header
  yield balanceLine('opening', from, opening)
  let balance = opening
  for await (const chunk of chunks) {
    balance = chunk.reduce(balanceAfter, balance)
    yield chunk.map(line).join('')
  }
  if (status === 'final' && balance.minor !== closing.minor)
    throw new Error(`the transactions of ${period.name} do not add up to its closing balance`)
  yield balanceLine('closing', readAt < to ? readAt : to, balance)
}

const balanceAfter = (balance: Usdt, { direction, amount }: StatementMovement): Usdt =>
  usdt(direction === 'in' ? balance.minor + amount.minor : balance.minor - amount.minor)
