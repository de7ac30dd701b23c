import type {
  AuditFlaw,
  AuditLog,
  AuditPosition,
  AuditQuery,
  AuditRecord,
  AuditSlice,
  AuditState,
} from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'

const json = (state: AuditState): string | null => (state === null ? null : JSON.stringify(state))

// Decided by migrations/0001-tenants.sql.
const recordRefusal = statement('record_refusal')`select quipu.record_refusal($1, $2, $3, $4, $5)`

const recordLookUp = statement('record_look_up')`select quipu.record_look_up($1, $2, $3) as result`

const recordExport = statement('record_export')`select quipu.record_export($1, $2, $3, $4, $5, $6) as result`

const recordFailedLogins = statement('record_failed_logins')`select quipu.record_failed_logins($1, $2, $3)`

/** The slice's last entry before its first flaw, the flaw, and the number of its entries. */
const verifyEntries = statement('verify_audit_log')`
  with checked as materialized (select * from quipu.verify_audit_log($1, decode($2, 'hex'), $3)),
    flaw as (select id, flaw from checked where flaw is not null order by id limit 1),
    verified as (
      select id, encode(hash, 'hex') as hash from checked
      where id > $1 and id < coalesce((select f.id from flaw f), 9223372036854775807)
      order by id desc limit 1
    )
  select f.id as flaw_id, f.flaw, v.id, v.hash,
    (select count(*) from checked c where c.id > $1 and c.hash is not null) as count
  from (values (1)) one left join flaw f on true left join verified v on true`

type SliceRow = {
  readonly flaw_id: bigint | null
  readonly flaw: string | null
  readonly id: bigint | null
  readonly hash: string | null
  readonly count: bigint
}

/** The audit log in PostgreSQL. A function that makes a change also writes its entry. */
export const postgresAuditLog = (database: Database): AuditLog => ({
  recordRefusal: async ({ tenantId, subject, at, after }, by) => {
    const values = [credentialJson(by), tenantId, subject, at, json(after)]
    await database.query(recordRefusal, values)
  },
  recordLookUp: (secretHash, at, by) => answer(database.query, recordLookUp, [credentialJson(by), secretHash, at]),
  recordExport: ({ subject, filter, at, sent }, by) => {
    const values = [credentialJson(by), subject, filter, sent && sent.rows, sent && sent.isComplete, at]
    return answer(database.write, recordExport, values)
  },
  recordFailedLogins: async ({ address, at, failures }) => {
    await database.query(recordFailedLogins, [address, at, failures])
  },
  list: (query) => {
    const { statement, values } = listStatement(query)
    return database.read<AuditRecord>(statement, values)
  },
  verify: async (after, entries) => {
    const values = [after.id, after.hash, entries]
    const [row] = await database.read<SliceRow>(verifyEntries, values)
    return sliceFromRow(after, row)
  },
})

const columns: Readonly<Record<keyof AuditRecord, string>> = {
  id: 'a.id',
  hash: `encode(a.hash, 'hex') as hash`,
  actor: 'a.actor',
  tokenId: 'a.token_id as "tokenId"',
  address: 'a.address',
  session: 'a.session',
  action: 'a.action',
  tenantId: 'a.tenant_id as "tenantId"',
  subject: 'a.subject',
  at: 'a.at',
  before: 'quipu.with_contact(a.before) as before',
  after: 'quipu.with_contact(a.after) as after',
}

const conditions: Readonly<Record<Exclude<keyof AuditQuery, 'limit'>, string>> = {
  subject: 'a.subject =',
  tenantId: 'a.tenant_id =',
  actor: 'a.actor =',
  tokenId: 'a.token_id =',
  action: 'a.action =',
  from: 'a.at >=',
  to: 'a.at <=',
  before: 'a.id <',
}

type Filter = keyof typeof conditions

/** The statement with the filters of the query only, so that the planner finds the index of each. */
function listStatement(query: AuditQuery): { statement: Statement; values: unknown[] } {
  const filters = (Object.keys(conditions) as Filter[]).filter((name) => query[name] !== undefined)
  const where = filters.map((name, index) => `${conditions[name]} $${index + 2}`)
  const text = `
    select ${Object.values(columns).join(', ')} from quipu.audit_log a
    ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by a.id desc limit $1`
  const name = ['audit.list', ...filters].join('_')
  return { statement: { name, text }, values: [query.limit, ...filters.map((filter) => query[filter])] }
}

function sliceFromRow(after: AuditPosition, row: SliceRow | undefined): AuditSlice {
  const { flaw_id: flawId = null, flaw: detail = null, id = null, hash = null } = row ?? {}
  const flaw: AuditFlaw | null = flawId === null || detail === null ? null : { id: flawId, detail }
  const verified = id === null || hash === null ? after : { id, hash }
  return { flaw, verified, count: Number(row?.count ?? 0) }
}
