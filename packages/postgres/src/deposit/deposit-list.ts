import type { Deposit, Page } from '@quipu/core'
import type { DepositQuery } from '@quipu/core/adapter'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { depositColumns, depositFromRow, type DepositRow } from './deposit-row.ts'
import { idBoundsOf, pageOf } from '../page.ts'

// One statement for each index. Parameters: $1 exclusive upper id, $2 inclusive lower id, $3 number of rows.

const listing = (name: string, where: string): Statement => statement(name)`
  select ${depositColumns} from quipu.deposit d
  where ${where} and d.id < $1 and d.id >= $2 order by d.id desc limit $3`

const list = listing('deposit.list', 'd.tenant_id = $4')
/** Nearly all deposits are credited, so this filter reads the index of all; the others have their own. */
const listCredited = listing('deposit.list_credited', 'd.tenant_id = $4 and d.status = $5')
const listByStatus = listing('deposit.list_by_status', `d.tenant_id = $4 and d.status <> 'credited' and d.status = $5`)

export const listDeposits = (database: Database, tenantId: string, query: DepositQuery): Promise<Page<Deposit>> =>
  query.status === undefined
    ? read(database, query, list, tenantId)
    : read(database, query, query.status === 'credited' ? listCredited : listByStatus, tenantId, query.status)

async function read(
  database: Database,
  query: DepositQuery,
  statement: Statement,
  ...more: readonly (string | undefined)[]
): Promise<Page<Deposit>> {
  const values = [...idBoundsOf('dep', query), query.limit + 1, ...more]
  const rows = await database.list<DepositRow>(statement, values)
  return pageOf(rows.map(depositFromRow), query.limit)
}
