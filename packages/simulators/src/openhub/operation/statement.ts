import { hash } from 'node:crypto'
import { startOfDay } from '../bolivian-time.ts'
import type { Hub } from '../hub.ts'
import type { Movement, Order } from '../ledger/ledger-state.ts'
import { orderNumber } from './order-members.ts'

/** One row of debits or credits. */
export type MovementRow = Movement & {
  readonly commission: bigint
  readonly recipient: string
  /** The clearing house's number. */
  readonly number: string
}

type Range = {
  readonly account: string
  readonly type: Movement['type']
  /** Bolivian dates, both inclusive. */
  readonly from: string
  readonly to: string
}

/** The visible rows of the range: by time, or in no order. */
export function statementRows({ ledger, switches, timers }: Hub, { account, type, from, to }: Range): MovementRow[] {
  const { statement_lag_seconds, debits_unsorted, debits_operation } = switches.current()
  const newest = timers.now() - statement_lag_seconds * 1000
  const [first, end] = [startOfDay(from), startOfDay(to) + 86_400_000]
  const isShown = (row: MovementRow): boolean =>
    row.account === account && row.type === type && row.at <= newest && first <= row.at && row.at < end
  const { orders, movements } = ledger.state()
  const rows = [...orders.flatMap((order) => rowsOf(order, debits_operation)), ...movements.map(rowOfMovement)]
  const keyOf = debits_unsorted ? ({ number }: MovementRow) => hash('md5', number) : ({ at }: MovementRow) => at
  return rows
    .filter(isShown)
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row)
}

/** assumed: no source shows the rows of a QR payout, of a commission or of a reversal. */
function rowsOf(order: Order, operation: string): MovementRow[] {
  const { transaccionId, account, amount, commission, isCommissionRow, merchant, paidAt, returnedAt } = order
  if (paidAt === null) return []
  const number = orderNumber(order)
  const common = {
    account,
    transactionId: transaccionId,
    operation,
    amount,
    number,
    at: paidAt,
    commission: 0n,
    recipient: merchant.name,
  } as const
  const rows: MovementRow[] = [{ ...common, type: 'D', commission: isCommissionRow ? 0n : commission }]
  if (isCommissionRow && commission > 0n)
    rows.push({ ...common, type: 'D', operation: 'COMISION', amount: commission, number: `2${number.slice(1)}` })
  if (returnedAt !== null)
    rows.push({ ...common, type: 'C', operation: 'REVERSION', at: returnedAt, number: `3${number.slice(1)}` })
  return rows
}

const rowOfMovement = (movement: Movement, index: number): MovementRow => ({
  ...movement,
  commission: 0n,
  recipient: '',
  number: `15${(index + 1).toString().padStart(18, '0')}`,
})
