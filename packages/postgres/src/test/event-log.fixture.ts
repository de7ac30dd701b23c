import type { Sql } from './stores.fixture.ts'

/** An entry of a tenant's log. Those without an event have neither an id nor a body. */
export type LogEntry = {
  readonly seq: number
  readonly at: Date
  readonly id: string | null
  readonly type: string
  readonly body: string
}

/** The id of an event of this instant. Ids of one instant are in the order of their numbers. */
export function uuidOf(at: Date, number: number): string {
  const ms = at.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`
}

/** Makes these entries the log of a tenant. Their bodies are unique among tenants. */
export async function insertLog(sql: Sql, tenantId: string, entries: readonly LogEntry[]): Promise<void> {
  const last = entries.at(-1)
  await sql(
    `with entry as (
       select e.*, case when e.id is not null then e.body::bytea end as bytes
       from jsonb_to_recordset($2) e (seq bigint, at timestamptz, id uuid, type text, body text)
     ), funding as (
       insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, type, subject_id,
         event_id, body, amount, available_after, held_after)
       select $1, seq, at, at, type, body, id, bytes, posted, posted, posted
       from entry cross join lateral (
         select case when type ~ '^adjustment|credited$' then 1 end
       ) p (posted)
       where type not like 'payout.%' or type = 'payout.refunded'
     ), payout as (
       insert into quipu.payout_end (seq, ended_at, event_id, tenant_id, payout_id, status, amount,
         available_after, held_after, fencing_token, error_code, error_message, body)
       select seq, at, id, $1, body, substr(type, 8), 1, 0, 0, 1, error, error, bytes
       from entry cross join lateral (
         select case type when 'payout.failed' then 'PAYMENT_FAILED' when 'payout.cancelled'
           then 'PAYMENT_CANCELLED' when 'payout.rejected' then 'QR_REFUSED' end
       ) e (error)
       where type like 'payout.%' and type <> 'payout.refunded'
     )
     update quipu.wallet set seq = $3, logged_at = $4 where tenant_id = $1`,
    [tenantId, JSON.stringify(entries), last?.seq, last?.at],
  )
}
