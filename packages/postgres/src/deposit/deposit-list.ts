import type { Deposit, Page } from '@quipu/core'
import type { DepositQuery } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { depositColumns, depositFromRow, type DepositRow } from './deposit-row.ts'
import { idBoundsOf, pageOf } from '../page.ts'

// One statement for each index. Parameters: $1 exclusive upper id, $2 inclusive lower id, $3 number of rows.

const listing = (name: string, where: string): Statement => ({
  name,
  text: `
    select ${depositColumns} from quipu.deposit d
    where ${where} and d.id < $1 and d.id >= $2 order by d.id desc limit $3`,
})

const list = listing('deposit.list', 'd.tenant_id = $4')
/** Nearly all deposits are credited, so this filter reads the index of all; the others have their own. */
const listCredited = listing('deposit.list_credited', 'd.tenant_id = $4 and d.status = $5')
const listByStatus = listing(
  'deposit.list_by_status',
  `d.tenant_id = $4 and d.status <> 'credited' and d.status = $5`,
)
/** The next three list deposits of all tenants. */
const listAll = listing(
  'deposit.list_all',
  '($4::text is null or d.status = $4) and (not $5 or d.closed_at is null)',
)
const listUncredited = listing(
  'deposit.list_uncredited',
  `d.status <> 'credited' and d.status = $4`,
)
const listOpenReviews = listing(
  'deposit.list_open_reviews',
  `d.status = 'in_review' and d.closed_at is null`,
)

export const depositListStatements: readonly Statement[] = [
  list,
  listCredited,
  listByStatus,
  listAll,
  listUncredited,
  listOpenReviews,
]

export const listDeposits = (
  database: Database,
  tenantId: string,
  query: DepositQuery,
): Promise<Page<Deposit>> =>
  query.status === undefined
    ? read(database, query, list, tenantId)
    : read(
        database,
        query,
        query.status === 'credited' ? listCredited : listByStatus,
        tenantId,
        query.status,
      )

/** Deposits of all tenants. `open` leaves out closed reviews. */
export function listAllDeposits(
  database: Database,
  query: DepositQuery & { readonly open?: boolean },
): Promise<Page<Deposit>> {
  const { status, open = false } = query
  if (status === undefined || status === 'credited')
    return read(database, query, listAll, status, open)
  if (status === 'in_review' && open) return read(database, query, listOpenReviews)
  return read(database, query, listUncredited, status)
}

async function read(
  database: Database,
  query: DepositQuery,
  statement: Statement,
  ...more: readonly (string | boolean | undefined)[]
): Promise<Page<Deposit>> {
  const values = [...idBoundsOf('dep', query), query.limit + 1, ...more]
  const rows = await database.read<DepositRow>(statement, values)
  return pageOf(rows.map(depositFromRow), query.limit)
}
