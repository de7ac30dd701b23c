import { Unavailable } from '@quipu/core'
import type { StatementRow } from '@quipu/core/adapter'
import { z } from 'zod'
import { ForeignId, Id, Instant, PositiveBolivianos } from './fields.ts'
import type { Reply } from '@quipu/http-json'
import { expectJson, expectShape } from './read-answer.ts'

const Row = z
  .object({
    reference: ForeignId,
    network_ref: ForeignId,
    network_payment_id: ForeignId,
    amount: PositiveBolivianos,
    paid_at: Instant,
    state: z.enum(['paid', 'reversed']),
  })
  .transform(({ state, ...row }) => ({ state, row: rowOf(row) }))

const Page = z.object({ data: z.array(Row), next_cursor: Id.nullable() })

const rowOf = (row: {
  reference: string
  network_ref: string
  network_payment_id: string
  amount: StatementRow['amount']
  paid_at: Date
}): StatementRow => ({
  type: 'payment',
  reference: row.reference,
  networkRef: row.network_ref,
  paymentId: row.network_payment_id,
  amount: row.amount,
  paidAt: row.paid_at,
})

/**
 * The payments of `GET /v1/statement`, page by page. Reversed payments are omitted, so that a
 * reconciliation reports them as missing.
 *
 * @param ask  requests one page; the cursor is null for the first
 * @throws Unavailable if a page fails or is invalid, or a cursor repeats
 */
export async function* statementRows(
  ask: (cursor: string | null) => Promise<Reply>,
): AsyncGenerator<StatementRow, void, undefined> {
  const cursors = new Set<string>()
  let cursor: string | null = null
  do {
    const page: z.infer<typeof Page> = expectShape(Page, expectJson(await ask(cursor), [200]).json)
    for (const { state, row } of page.data) if (state === 'paid') yield row
    cursor = page.next_cursor
    if (cursor !== null && cursors.has(cursor)) throw new Unavailable('qr_network', 'cursor repeated')
    if (cursor !== null) cursors.add(cursor)
  } while (cursor !== null)
}
