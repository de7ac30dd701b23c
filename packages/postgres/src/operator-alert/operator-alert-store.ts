import {
  type AlertMessage,
  alertsListed,
  type AlertsSent,
  isSeenFault,
  type OperatorAlertStore,
  type RecordedAlert,
} from '@quipu/core/operator'
import { backlogCountMax } from '@quipu/core/adapter'
import { isDone } from '../claim-answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'

// Decided by migrations/0042-operator-alerts.sql.

const recordOperatorAlert = statement('record_operator_alert')`
  select quipu.record_operator_alert($1, $2, $3, $4, $5, $6, $7, $8, $9)`

const claimOperatorAlert = statement('claim_operator_alert')`
  select id, code, subject, tenant_id, detail, raised_at, ended_at, sent, status, failed_attempts,
    fencing_token, further
  from quipu.claim_operator_alert($1, $2, $3)`

const acceptOperatorAlert = statement('accept_operator_alert')`select quipu.accept_operator_alert($1, $2) as done`

const retryOperatorAlert = statement('retry_operator_alert')`select quipu.retry_operator_alert($1, $2, $3) as done`

const listAlerts = statement('operator_alerts.list')`
  select id, code, subject, tenant_id, detail, raised_at, ended_at, sent, accepted_at, failed_attempts
  from quipu.operator_alert order by id desc limit $1`

const readSent = statement('operator_alerts.sent')`
  select (
    select count(*) from (select from quipu.operator_alert a where a.sent = 0 limit $2) counted
  )::int as count,
  greatest(0, coalesce(extract(epoch from quipu.store_now($1) - (
    select min(a.raised_at) from quipu.operator_alert a where a.sent = 0
  )), 0))::float8 as oldest_seconds,
  greatest((select max(a.accepted_at) from quipu.operator_alert a where a.accepted_at is not null),
    d.accepted_at) as accepted_at, to_char(d.day, 'YYYY-MM-DD') as digest_day
  from (select) one left join quipu.daily_task d on d.task = 'digest'`

type ClaimRow = {
  readonly id: string
  readonly code: AlertMessage['code']
  readonly subject: string
  readonly tenant_id: string | null
  readonly detail: string
  readonly raised_at: Date
  readonly ended_at: Date | null
  readonly sent: number
  readonly status: AlertMessage['status']
  readonly failed_attempts: number
  readonly fencing_token: bigint
  readonly further: number
}

/** Whether messages reach the gateway. @throws Unavailable when the database cannot be read */
export async function readAlertsSent(database: Pick<Database, 'query' | 'clockOverride'>): Promise<AlertsSent> {
  type Row = { readonly count: number; readonly oldest_seconds: number; readonly accepted_at: Date | null }
  const values = [database.clockOverride(), backlogCountMax]
  const [row] = await database.query<Row & { readonly digest_day: string | null }>(readSent, values)
  return {
    waiting: { count: row?.count ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 },
    acceptedAt: row?.accepted_at ?? null,
    digestDay: row?.digest_day ?? null,
  }
}

/** The outbox of alerts in PostgreSQL. */
export function postgresOperatorAlertStore(database: Database): OperatorAlertStore {
  const clock = (): Date | null => database.clockOverride()
  const done = async (statement: Statement, ...values: readonly unknown[]) =>
    (await isDone(database.write, statement, [...values, clock()])) ? 'committed' : 'stale'
  /** Each in its own transaction: two processes record the same faults. */
  const recordEach = async (alerts: readonly RecordedAlert[]): Promise<void> => {
    for (const alert of alerts) {
      const { id, code, subject, tenantId, detail, isSent, raisedAt } = alert
      const values = [id, code, subject, tenantId, detail, isSeenFault(code), isSent, raisedAt, clock()]
      await database.write(recordOperatorAlert, values)
    }
  }
  return {
    record: recordEach,
    see: (faults) => recordEach(faults.map((fault) => ({ ...fault, isSent: false }))),
    claim: async (leaseSeconds, repeatSeconds) => {
      const [row] = await database.write<ClaimRow>(claimOperatorAlert, [leaseSeconds, repeatSeconds, clock()])
      if (!row) return undefined
      const { id, code, subject, detail, status, further } = row
      return {
        claim: { fencingToken: Number(row.fencing_token) },
        failedAttempts: row.failed_attempts,
        message: {
          id,
          code,
          subject,
          tenantId: row.tenant_id,
          detail,
          raisedAt: row.raised_at,
          endedAt: row.ended_at,
          sequence: row.sent,
          status,
          further,
        },
      }
    },
    accept: ({ fencingToken }) => done(acceptOperatorAlert, fencingToken),
    retry: ({ fencingToken }, inMs) => done(retryOperatorAlert, fencingToken, inMs / 1_000),
    list: async () => {
      type Row = Omit<ClaimRow, 'status'> & { readonly accepted_at: Date | null }
      return (await database.query<Row>(listAlerts, [alertsListed])).map((row) => ({
        id: row.id,
        code: row.code,
        subject: row.subject,
        tenantId: row.tenant_id,
        detail: row.detail,
        raisedAt: row.raised_at,
        status: row.ended_at === null ? 'raised' : 'resolved',
        endedAt: row.ended_at,
        sent: row.sent,
        acceptedAt: row.accepted_at,
        failedAttempts: row.failed_attempts,
      }))
    },
    sent: () => readAlertsSent(database),
  }
}
