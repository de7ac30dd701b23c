import type { Page, Payout, PayoutQuery, Position } from '@quipu/core'
import type { Database, Statement } from './database.ts'
import { pageOf } from './page.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

// Each statement first takes its page from one index, whatever the size of the table, and only then
// joins. The bounds are parameters: $1 tenant, ($2, $3) the place before which, $4 the instant from
// which on, $5 how many rows.

const shown = `
  select ${payoutColumns} from ${payoutTables('page')} order by p.created_at desc, p.id desc`

const listAll: Statement = {
  name: 'payout.list',
  text: `
    with page as materialized (
      select * from quipu.payout
      where tenant_id = $1 and (created_at, id) < ($2, $3) and created_at >= $4
      order by created_at desc, id desc limit $5
    ) ${shown}`,
}

const listByStatus: Statement = {
  name: 'payout.list_by_status',
  text: `
    with ended as materialized (
      select tenant_id, payout_id from quipu.payout_end
      where tenant_id = $1 and status = $6 and (created_at, payout_id) < ($2, $3)
        and created_at >= $4
      order by created_at desc, payout_id desc limit $5
    ), page as materialized (
      select p.* from ended join quipu.payout p on p.tenant_id = ended.tenant_id and p.id = payout_id
    ) ${shown}`,
}

const listByTransaction: Statement = {
  name: 'payout.list_by_transaction',
  text: `
    with found as materialized (
      select * from quipu.payout where tenant_id = $1 and transaction_id = $6
    ), page as materialized (
      select * from found
      where (created_at, id) < ($2, $3) and created_at >= $4
        and ($7::text is null or exists (
          select from quipu.payout_end e
          where e.tenant_id = found.tenant_id and e.payout_id = found.id and e.status = $7
        ))
      limit $5
    ) ${shown}`,
}

export const listStatements: readonly Statement[] = [listAll, listByStatus, listByTransaction]

export async function listPayouts(
  database: Database,
  tenantId: string,
  query: PayoutQuery,
): Promise<Page<Payout>> {
  const { transactionId, status, from, limit } = query
  const before = placeBefore(query)
  const bounds = [
    tenantId,
    before?.createdAt ?? 'infinity',
    before?.id ?? '',
    from ?? '-infinity',
    limit + 1,
  ]
  const read = (statement: Statement, ...more: readonly (string | undefined)[]) =>
    database.query<PayoutRow>(statement, [...bounds, ...more])
  const rows =
    transactionId !== undefined
      ? await read(listByTransaction, transactionId, status)
      : status !== undefined
        ? await read(listByStatus, status)
        : await read(listAll)
  return pageOf(rows.map(payoutFromRow), limit)
}

/**
 * The one upper bound of a page: an index scan starts at one, and would read its way to a second.
 *
 * `to` is inclusive and instants are whole milliseconds, so it ends before the next one's first id.
 */
function placeBefore({ after, to }: PayoutQuery): Position | undefined {
  if (to === undefined) return after
  if (after !== undefined && after.createdAt <= to) return after
  return { createdAt: new Date(to.getTime() + 1), id: '' }
}
