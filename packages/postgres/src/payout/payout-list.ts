import type { Page, Payout } from '@quipu/core'
import { lowestId, type PayoutQuery, type PagePosition } from '@quipu/core/adapter'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { pageOf, scannedMax, scannedPageOf } from '../page.ts'
import { readableRows } from '../readable-rows.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

// Each statement first reads its page by one index, and then joins. Parameters: $1 tenant, $2 exclusive upper
// id, $3 inclusive lower id, $4 number of rows.

const shown = `
  select ${payoutColumns} from ${payoutTables('page')} order by p.id desc`

/** The payouts that a filter without an index is applied to. */
const scanned = `
    scanned as materialized (
      select * from quipu.payout where tenant_id = $1 and id < $2 and id >= $3
      order by id desc limit ${scannedMax}
    )`

const listAll = statement('payout.list')`
  with page as materialized (
    select * from quipu.payout where tenant_id = $1 and id < $2 and id >= $3
    order by id desc limit $4
  ) ${shown}`

/**
 * Nearly all payouts are completed, so this status has no index of its own: filters the next payouts of all.
 */
const listCompleted = statement('payout.list_completed')`
  with ${scanned}, page as materialized (
    select p.* from scanned p
    where p.hold is not null and 'completed' = (
      select e.status from quipu.payout_end e
      where e.payout_id = p.id and e.tenant_id = p.tenant_id
    )
    limit $4
  ) ${shown}`

const lastScanned = statement('payout.last_scanned')`
  select id, created_at as "createdAt" from quipu.payout
  where tenant_id = $1 and id < $2 and id >= $3
  order by id desc offset ${scannedMax - 1} limit 1`

/** The condition `<> 'completed'` lets the planner use the partial index of the other outcomes. */
const listByStatus = statement('payout.list_by_status')`
  with ended as materialized (
    select tenant_id, payout_id from quipu.payout_end
    where tenant_id = $1 and status = $5 and status <> 'completed' and payout_id < $2
      and payout_id >= $3
    order by payout_id desc limit $4
  ), page as materialized (
    select p.* from ended join quipu.payout p on p.tenant_id = ended.tenant_id and p.id = payout_id
  ) ${shown}`

/** Reads what is in `processing`, and not the history: few payouts at a time. */
const listOpen = statement('payout.list_open')`
  with page as materialized (
    select p.* from quipu.held_payout h
    join quipu.payout p on p.tenant_id = h.tenant_id and p.id = h.payout_id
    where h.tenant_id = $1 and h.payout_id < $2 and h.payout_id >= $3
    order by h.payout_id desc limit $4
  ) ${shown}`

const listByTransaction = statement('payout.list_by_transaction')`
  with found as materialized (
    select * from quipu.payout where tenant_id = $1 and transaction_id = $5
  ), page as materialized (
    select * from found
    where id < $2 and id >= $3
      and ($6::text is null or $6 = (
        select e.status from quipu.payout_end e
        where e.payout_id = found.id and e.tenant_id = found.tenant_id
      ))
    limit $4
  ) ${shown}`

/** Texts of tenants have no index: filters the next payouts of all. */
const listLabelled = statement('payout.list_labelled')`
  with ${scanned}, page as materialized (
    select p.* from scanned p
    where ($5::text is null or p.details #>> '{labels,description}' = $5)
      and ($6::jsonb is null or (p.details #> '{labels,metadata}')::jsonb @> $6)
      and ($7::text is null or p.transaction_id = $7)
      and ($8::text is null or $8 = coalesce((
        select e.status from quipu.payout_end e where e.payout_id = p.id and e.tenant_id = p.tenant_id
      ), 'processing'))
    limit $4
  ) ${shown}`

/** A payout's id begins with its creation instant, so bounds in time become bounds of ids. */
export async function listPayouts(database: Database, tenantId: string, query: PayoutQuery): Promise<Page<Payout>> {
  const { transactionId, status, isOpen, description, metadata, from, limit } = query
  const bounds = [tenantId, idBefore(query), from ? lowestId('po', from) : '', limit + 1]
  const read = (statement: Statement, ...more: readonly (string | undefined)[]) =>
    database.list<PayoutRow>(statement, [...bounds, ...more])
  const isLabelled = description !== undefined || metadata !== undefined
  if (isLabelled || (status === 'completed' && transactionId === undefined)) {
    const labels = [description, metadata && JSON.stringify(metadata), transactionId, isOpen ? 'processing' : status]
    const found = isLabelled ? await read(listLabelled, ...labels) : await read(listCompleted)
    const page = await scannedPageOf(found.map(placed), limit, async () => {
      const [row] = await database.list<PagePosition>(lastScanned, bounds.slice(0, 3))
      return row
    })
    return readPayouts(database, page)
  }
  const rows =
    transactionId !== undefined
      ? await read(listByTransaction, transactionId, status)
      : isOpen
        ? await read(listOpen)
        : status === undefined
          ? await read(listAll)
          : await read(listByStatus, status)
  const shownRows = isOpen ? rows.filter((row) => row.status === null) : rows
  return readPayouts(database, pageOf(shownRows.map(placed), limit))
}

type Placed = PagePosition & { readonly row: PayoutRow }

/** A row with its place in a list, which does not depend on whether it can be read. */
export const placed = (row: PayoutRow): Placed => ({ id: row.id, createdAt: row.created_at, row })

/** The payouts of a page, without those that cannot be read. */
export function readPayouts(database: Database, { items, next }: Page<Placed>): Page<Payout> {
  const rows = items.map(({ row }) => row)
  return { items: readableRows(database, 'payout', rows, payoutFromRow), next }
}

/** The exclusive upper id of the page; `to` is inclusive, in whole milliseconds. */
function idBefore({ after, to }: PayoutQuery): string {
  const end = to ? lowestId('po', new Date(to.getTime() + 1)) : 'po_~'
  return after !== undefined && after.id < end ? after.id : end
}
