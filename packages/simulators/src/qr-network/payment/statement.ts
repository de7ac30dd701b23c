import { z } from 'zod'
import { Refusal } from '../../json-server.ts'
import { formatBob } from './amount.ts'
import { paymentsAfter, type LedgerState } from '../ledger/ledger-state.ts'
import { instant, networkPaymentId, type Payment } from './payment.ts'

/** One paid payment; `reversed` if the money was returned later. */
export type StatementRow = {
  readonly reference: string
  readonly network_ref: string
  readonly network_payment_id: string
  readonly amount: string
  readonly paid_at: string
  readonly state: 'paid' | 'reversed'
}

/** Oldest first; null on the last page. */
export type StatementPage = { readonly data: readonly StatementRow[]; readonly next_cursor: string | null }

/** Lies of the statement; they last until they are changed. */
export type StatementFaults = {
  /** References to omit. */
  readonly omit?: readonly string[] | undefined
  /** Rows of nonexistent payments, appended to the last page. */
  readonly add?: readonly StatementRow[] | undefined
  /** Wrong amounts by reference. */
  readonly amounts?: Readonly<Record<string, string>> | undefined
}

const Instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

const Query = z.strictObject({
  from: Instant.optional(),
  to: Instant.optional(),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
})

/**
 * Payments paid between `from` and `to`, both inclusive, in the order of payment. New payments come
 * last, so paging returns each payment once.
 */
export function statementPage(
  state: Readonly<LedgerState>,
  query: URLSearchParams,
  faults: StatementFaults,
  rowsMax: number,
): StatementPage {
  const { from = -Infinity, to = Infinity, cursor = 0 } = Query.parse(Object.fromEntries(query))
  if (from > to) throw new Refusal(400, 'BAD_REQUEST', 'from is after to.')
  const within = (at: number): boolean => at >= from && at <= to
  const data: StatementRow[] = []
  let last = 0
  for (const payment of paymentsAfter(state, cursor)) {
    if (!within(payment.paidAt ?? 0) || faults.omit?.includes(payment.reference)) continue
    if (data.length === rowsMax) return { data, next_cursor: last.toString() }
    data.push(rowOf(payment, faults))
    last = payment.sequence ?? last
  }
  const added = (faults.add ?? []).filter((row) => within(Date.parse(row.paid_at)))
  return { data: [...data, ...added], next_cursor: null }
}

const rowOf = (payment: Payment, { amounts }: StatementFaults): StatementRow => ({
  reference: payment.reference,
  network_ref: payment.networkRef,
  network_payment_id: networkPaymentId(payment) ?? '',
  amount: amounts?.[payment.reference] ?? formatBob(payment.amount),
  paid_at: instant(payment.paidAt) ?? '',
  state: payment.outcome === 'paid' ? 'paid' : 'reversed',
})
