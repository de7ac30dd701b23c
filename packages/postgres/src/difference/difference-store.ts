import type { Page } from '@quipu/core'
import type { Difference, DifferenceQuery, DifferenceStore } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { keysetOf, pageOf } from '../page.ts'
import { differenceColumns, differenceFromRow, type DifferenceRow, foundToRow } from './difference-row.ts'

// Decided by migrations/0027-differences.sql.

const recordDifferences = statement('record_differences')`select quipu.record_differences($1, $2)`

const resolveDifferences = statement('resolve_differences')`select quipu.resolve_differences($1, $2, $3) as resolved`

const closeDifference = statement('close_difference')`select quipu.close_difference($1, $2, $3, $4, $5) as result`

const findDifference = statement('difference.find')`select ${differenceColumns} from quipu.difference d where d.id = $1`

const listChanged = statement('difference.list_changed')`
  select ${differenceColumns} from quipu.difference d
  where d.change > $1 and (d.status = 'open' or d.changed_at >= $2) order by d.change limit $3`

// One statement for each index. Parameters: $1 and $2 the row before the page, $3 number of rows, $4 check,
// $5 status, $6 tenant, $7 subject.

const listing = (name: string, where: string): Statement => statement(name)`
  select ${differenceColumns} from quipu.difference d
  where ${where} and (d.found_at, d.id) < ($1, $2) and ($4::text is null or d.check_name = $4)
  order by d.found_at desc, d.id desc limit $3`

const isOfStatus = '($5::text is null or d.status = $5)'
const list = listing('difference.list', '$5::text is null and $6::text is null and $7::text is null')
const listByStatus = listing('difference.list_by_status', 'd.status = $5 and $6::text is null and $7::text is null')
const listOfTenant = listing('difference.list_of_tenant', `d.tenant_id = $6 and ${isOfStatus} and $7::text is null`)
const listOfSubject = listing(
  'difference.list_of_subject',
  `d.subject = $7 and ${isOfStatus} and ($6::text is null or d.tenant_id = $6)`,
)

/** Differences in PostgreSQL. `check_ledger` and `check_audit_log` record theirs themselves. */
export const postgresDifferenceStore = (database: Database): DifferenceStore => ({
  record: async (found, at) => {
    if (found.length === 0) return
    await database.query(recordDifferences, [JSON.stringify(found.map(foundToRow)), at])
  },
  resolveUnseen: async ({ check, scope }, at) => {
    const values = [check, scope, at]
    const [row] = await database.query<{ resolved: number }>(resolveDifferences, values)
    return row?.resolved ?? 0
  },
  find: async (id) => {
    const [row] = await database.read<DifferenceRow>(findDifference, [id])
    return row && differenceFromRow(row)
  },
  list: (query) => listDifferences(database, query),
  listChanged: async (after, since, limit) => {
    const rows = await database.read<DifferenceRow>(listChanged, [after, since, limit])
    return rows.map(differenceFromRow)
  },
  close: (id, { at, reason, proposalId }, by) =>
    answer(database.write, closeDifference, [id, credentialJson(by), at, reason, proposalId]),
})

async function listDifferences(
  database: Database,
  { status, check, tenantId, subject, ...query }: DifferenceQuery,
): Promise<Page<Difference>> {
  const ofAll = status === undefined ? list : listByStatus
  const ofScope = tenantId === undefined ? ofAll : listOfTenant
  const statement = subject === undefined ? ofScope : listOfSubject
  const filters = [check, status, tenantId, subject].map((value) => value ?? null)
  const values = [...keysetOf(query), ...filters]
  const rows = await database.read<DifferenceRow>(statement, values)
  const positioned = rows.map((row) => ({ createdAt: row.foundAt, id: row.id, row }))
  const { items, next } = pageOf(positioned, query.limit)
  return { items: items.map(({ row }) => differenceFromRow(row)), next }
}
