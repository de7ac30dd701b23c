import type { AuditEntry, AuditLog, AuditState } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'

const json = (state: AuditState): string | null => (state === null ? null : JSON.stringify(state))

// Decided by migrations/0001-tenants.sql.
const recordRefusal: Statement = {
  name: 'record_refusal',
  text: 'select quipu.record_refusal($1, $2, $3, $4, $5, $6)',
}

const columns = 'actor, action, tenant_id as "tenantId", subject, at, before, after'

const listEntries: Statement = {
  name: 'audit.list',
  text: `select ${columns} from quipu.audit_log order by id desc limit $1`,
}

const listBySubject: Statement = {
  name: 'audit.list_by_subject',
  text: `
    select ${columns} from quipu.audit_log
    where subject = $2 and ($3::text is null or tenant_id = $3) order by id desc limit $1`,
}

const listByTenant: Statement = {
  name: 'audit.list_by_tenant',
  text: `
    select ${columns} from quipu.audit_log where tenant_id = $2 order by id desc limit $1`,
}

/** The audit log in PostgreSQL. A function that makes a change also writes its entry. */
export const postgresAuditLog = (database: Database): AuditLog => ({
  record: async ({ actor, action, tenantId, subject, at, after }) => {
    await database.query(recordRefusal, [actor, action, tenantId, subject, at, json(after)])
  },
  list: ({ subject, tenantId, limit }) => {
    if (subject !== undefined)
      return database.read<AuditEntry>(listBySubject, [limit, subject, tenantId ?? null])
    return tenantId === undefined
      ? database.read<AuditEntry>(listEntries, [limit])
      : database.read<AuditEntry>(listByTenant, [limit, tenantId])
  },
})
