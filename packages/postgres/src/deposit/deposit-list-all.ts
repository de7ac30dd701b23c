import type { Deposit, Page } from '@quipu/core'
import type { AllDepositsQuery, PagePosition } from '@quipu/core/adapter'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { idBoundsOf, pageOf, scannedMax, scannedPageOf } from '../page.ts'
import { depositColumns, depositFromRow, type DepositRow } from './deposit-row.ts'
import { listDeposits } from './deposit-list.ts'

// The deposits of all tenants, one statement for each index. Parameters: $1 exclusive upper id, $2 inclusive
// lower id, $3 number of rows, $4 status, $5 whether a closed review is left out.

const inBounds = 'd.id < $1 and d.id >= $2'

const listing = (name: string, where: string): Statement => statement(name)`
  select ${depositColumns} from quipu.deposit d
  where ${where} and ${inBounds} order by d.id desc limit $3`

const listAll = listing('deposit.list_all', '($4::text is null or d.status = $4) and (not $5 or d.closed_at is null)')
const listUncredited = listing('deposit.list_uncredited', `d.status <> 'credited' and d.status = $4`)
const listOpenReviews = listing('deposit.list_open_reviews', `d.status = 'in_review' and d.closed_at is null`)

/** Parameters: $6 tenant, $7 review code, $8 address; null for any. */
const isWanted = `
  ($4::text is null or d.status = $4) and (not $5::boolean or d.closed_at is null)
  and ($6::text is null or d.tenant_id = $6)
  and ($7::text is null or (d.status = 'in_review' and d.review_code = $7))
  and ($8::text is null or d.address = $8)`

/** A transaction has few deposits. Parameters: as `isWanted`, $9 transaction. */
const listByTransaction = statement('deposit.list_by_transaction')`
  with found as materialized (select * from quipu.deposit d where d.tx_hash = $9)
  select ${depositColumns} from found d where ${inBounds} and ${isWanted} order by d.id desc limit $3`

/** Filters the next rows of a source, which has the parameter $9. */
const scan = (name: string, source: string): readonly [rows: Statement, last: Statement] => [
  statement(`deposit.${name}`)`
    with scanned as materialized (${source} and ${inBounds} order by d.id desc limit ${scannedMax})
    select ${depositColumns} from scanned d where ${isWanted} order by d.id desc limit $3`,
  statement(`deposit.last_of_${name}`)`
    ${source.replace('*', 'd.id, d.created_at as "createdAt"').replace('$9', '$3')} and ${inBounds}
    order by d.id desc offset ${scannedMax - 1} limit 1`,
]

/** Parameters: $9 status, which is not `credited`. */
const scanUncredited = scan(
  'scan_uncredited',
  `select * from quipu.deposit d where d.status <> 'credited' and d.status = $9`,
)
/** Parameters: $9 tenant. */
const scanTenant = scan('scan_tenant', 'select * from quipu.deposit d where d.tenant_id = $9')
/** Parameters: $1 address. */
const tenantOfAddress = statement('deposit.tenant_of_address')`
  select d.tenant_id from quipu.deposit d where d.address = $1 limit 1`

/** Deposits of all tenants, newest first. An address belongs to one tenant, which has few of them. */
export async function listAllDeposits(
  database: Database,
  { tenantId, open = false, reviewCode, txHash, address, ...query }: AllDepositsQuery,
): Promise<Page<Deposit>> {
  const { status } = query
  const filters = [status, open, tenantId, reviewCode, address]
  if (txHash !== undefined) return readPage(database, query, listByTransaction, [...filters, txHash])
  if (address !== undefined) {
    const [owner] = await database.list<{ tenant_id: string }>(tenantOfAddress, [address])
    if (owner === undefined) return { items: [], next: null }
    return scanPage(database, query, scanTenant, [...filters, owner.tenant_id])
  }
  if (tenantId !== undefined)
    return open || reviewCode !== undefined
      ? scanPage(database, query, scanTenant, [...filters, tenantId])
      : listDeposits(database, tenantId, query)
  if (reviewCode !== undefined) return scanPage(database, query, scanUncredited, [...filters, 'in_review'])
  if (status === undefined || status === 'credited') return readPage(database, query, listAll, [status, open])
  return status === 'in_review' && open
    ? readPage(database, query, listOpenReviews, [])
    : readPage(database, query, listUncredited, [status])
}

type Period = Omit<AllDepositsQuery, 'open' | 'tenantId' | 'reviewCode' | 'txHash' | 'address'>
type Filter = string | boolean | undefined

async function readPage(
  database: Database,
  query: Period,
  statement: Statement,
  filters: readonly Filter[],
): Promise<Page<Deposit>> {
  return pageOf(await rowsOf(database, query, statement, filters), query.limit)
}

/** @param filters  the last one is the parameter of the source */
async function scanPage(
  database: Database,
  query: Period,
  [rows, last]: readonly [rows: Statement, last: Statement],
  filters: readonly Filter[],
): Promise<Page<Deposit>> {
  const deposits = await rowsOf(database, query, rows, filters)
  return scannedPageOf(deposits, query.limit, async () => {
    const values = [...idBoundsOf('dep', query), filters.at(-1)]
    const [row] = await database.list<PagePosition>(last, values)
    return row
  })
}

async function rowsOf(
  database: Database,
  query: Period,
  statement: Statement,
  filters: readonly Filter[],
): Promise<readonly Deposit[]> {
  const values = [...idBoundsOf('dep', query), query.limit + 1, ...filters]
  const rows = await database.list<DepositRow>(
    statement,
    values.map((value) => value ?? null),
  )
  return rows.map(depositFromRow)
}
