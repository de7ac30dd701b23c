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
import { membersOf } from '../members.ts'

// Decided by migrations/0042-operator-alerts.sql.

const recordOperatorAlert = statement('record_operator_alert')`
  select quipu.record_operator_alert($1, $2, $3, $4, $5, $6, $7, $8, $9)`

const claimOperatorAlert = statement('claim_operator_alert')`
  select ${membersOf('a', 'id code subject tenant_id detail raised_at ended_at')}, a.sent as sequence, a.status, a.further,
    ${membersOf('a', 'failed_attempts fencing_token')}
  from quipu.claim_operator_alert($1, $2, $3) a`

const acceptOperatorAlert = statement('accept_operator_alert')`select quipu.accept_operator_alert($1, $2) as done`

const retryOperatorAlert = statement('retry_operator_alert')`select quipu.retry_operator_alert($1, $2, $3) as done`

const listAlerts = statement('operator_alerts.list')`
  select ${membersOf('a', 'id code subject tenant_id detail raised_at ended_at sent accepted_at failed_attempts')},
    case when a.ended_at is null then 'raised' else 'resolved' end as status
  from quipu.operator_alert a order by a.id desc limit $1`

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

type ClaimRow = AlertMessage & { readonly failedAttempts: number; readonly fencingToken: bigint }

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
      const { failedAttempts, fencingToken, ...message } = row
      return { claim: { fencingToken: Number(fencingToken) }, failedAttempts, message }
    },
    accept: ({ fencingToken }) => done(acceptOperatorAlert, fencingToken),
    retry: ({ fencingToken }, inMs) => done(retryOperatorAlert, fencingToken, inMs / 1_000),
    list: () => database.query<Awaited<ReturnType<OperatorAlertStore['list']>>[number]>(listAlerts, [alertsListed]),
    sent: () => readAlertsSent(database),
  }
}
