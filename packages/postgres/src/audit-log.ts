import type { AuditEntry, AuditLog, AuditState } from '@quipu/core'
import type { Database, Query, Statement } from './database.ts'

const insertEntry: Statement = {
  name: 'audit.insert',
  text: `
    insert into quipu.audit_log (actor, action, subject, at, before, after)
    values ($1, $2, $3, $4, $5, $6)`,
}

/** Writes the row in the transaction of the change that it describes. */
export async function insertAudit(query: Query, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, at, before, after } = entry
  await query(insertEntry, [actor, action, subject, at, json(before), json(after)])
}

const json = (state: AuditState): string | null => (state === null ? null : JSON.stringify(state))

const listEntries: Statement = {
  name: 'audit.list',
  text: `
    select actor, action, subject, at, before, after from quipu.audit_log
    order by id desc limit $1`,
}

const listBySubject: Statement = {
  name: 'audit.list_by_subject',
  text: `
    select actor, action, subject, at, before, after from quipu.audit_log
    where subject = $2 order by id desc limit $1`,
}

/** The operator's changes in PostgreSQL, each written by the store that made it. */
export const postgresAuditLog = (database: Database): AuditLog => ({
  list: ({ subject, limit }) =>
    subject === undefined
      ? database.read<AuditEntry>(listEntries, [limit])
      : database.read<AuditEntry>(listBySubject, [limit, subject]),
})
