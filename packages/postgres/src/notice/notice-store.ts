import type { NoticeStore } from '@quipu/core/operator'
import { isDone } from '../claim-answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { postgresApiKeyStore } from '../api-key/api-key-store.ts'
import { postgresAuditLog } from '../audit/audit-log.ts'

// Decided by migrations/0035-notices.sql.

const claimNotice = statement('claim_notice')`
  select fencing_token, failed_attempts, entry_id, key_id, contact_name, contact_email
  from quipu.claim_notice($1, $2)`

const acceptNotice = statement('accept_notice')`select quipu.accept_notice($1) as done`

const retryNotice = statement('retry_notice')`select quipu.retry_notice($1, $2, $3) as done`

type ClaimRow = {
  readonly fencing_token: number
  readonly failed_attempts: number
  readonly entry_id: bigint | null
  readonly key_id: string | null
  readonly contact_name: string
  readonly contact_email: string
}

/** Notices to technical contacts in PostgreSQL. */
export function postgresNoticeStore(database: Database): NoticeStore {
  const audit = postgresAuditLog(database)
  const apiKeys = postgresApiKeyStore(database)
  const write = async (statement: Statement, values: readonly unknown[]) =>
    (await isDone(database.write, statement, values)) ? 'committed' : 'stale'
  return {
    claim: async (leaseSeconds) => {
      const values = [leaseSeconds, database.clockOverride()]
      const [row] = await database.write<ClaimRow>(claimNotice, values)
      if (!row) return undefined
      const { entry_id: entryId, key_id: keyId } = row
      const found = entryId === null ? [] : await audit.list({ limit: 1, before: entryId + 1n })
      const key = keyId === null ? undefined : await apiKeys.find(keyId)
      const contact = { name: row.contact_name, email: row.contact_email }
      return {
        claim: { fencingToken: row.fencing_token },
        failedAttempts: row.failed_attempts,
        source: { entry: found[0] ?? null, key: key ?? null, contact },
      }
    },
    accept: ({ fencingToken }) => write(acceptNotice, [fencingToken]),
    retry: ({ fencingToken }, inMs) => write(retryNotice, [fencingToken, inMs / 1_000, database.clockOverride()]),
  }
}
