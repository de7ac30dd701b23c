import { usdt } from '@quipu/core'
import { newEndpoint } from './deliveries.fixture.ts'
import type { Sql, StoreHarness } from '../test/stores.fixture.ts'

// Endpoints that have a delivery in every state, and what a call changes of them.

/** The instant at which the calls are made. Leases and retries end or are due exactly here, before or later. */
export const now = `'2026-05-01T12:00:00Z'::timestamptz`
const logStart = Date.parse('2026-05-01T11:00:00.000Z')

/** The instant of an entry of every log. Two entries share each. */
const instantOf = (seq: number): Date => new Date(logStart + Math.ceil(seq / 2))

/** The id of a tenant's event. Of two events of one instant the later entry has the lower id. */
export function eventId(tenant: number, seq: number): string {
  const ms = instantOf(seq).getTime().toString(16).padStart(12, '0')
  const tail = String(tenant * 100 + 99 - seq).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${tail}`
}

const types: Readonly<Record<number, string>> = {
  2: 'payout.failed',
  4: 'deposit.pending',
  10: 'deposit.credited',
  16: 'deposit.in_review',
  17: 'payout.cancelled',
}
const typeOf = (seq: number): string => types[seq] ?? 'payout.completed'

/** Adds entries to a tenant's log. The body of each tells it from all others. */
async function log(sql: Sql, tenantId: string, tenant: number, length: number): Promise<void> {
  const seqs = Array.from({ length }, (_, i) => i + 1)
  const entries = seqs.map((seq) => ({
    seq,
    at: instantOf(seq),
    id: eventId(tenant, seq),
    type: typeOf(seq),
    body: `${tenant}-${seq}`,
  }))
  await sql(
    `with entry as (
       select * from jsonb_to_recordset($2) e (seq bigint, at timestamptz, id uuid, type text, body text)
     ), funding as (
       insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, type, subject_id,
         event_id, body, amount, available_after, held_after)
       select $1, seq, at, at, type, body, id, body::bytea, credit, credit, credit
       from entry cross join lateral (select case type when 'deposit.credited' then 1 end) c (credit)
       where type like 'deposit.%'
     ), payout as (
       insert into quipu.payout_end (seq, ended_at, event_id, tenant_id, payout_id, status, error_code,
         error_message, body)
       select seq, at, id, $1, body, substr(type, 8), error, error, body::bytea
       from entry cross join lateral (select case type when 'payout.completed' then null else 'X' end) c (error)
       where type like 'payout.%'
     )
     update quipu.wallet set seq = $3, logged_at = $4 where tenant_id = $1`,
    [tenantId, JSON.stringify(entries), length, instantOf(length)],
  )
}

/** A statement with the entries of tenant $2, which inserts rows for endpoint $1. */
const forEntries = (table: string, columns: string, rows: string, values: string): string => `
  insert into quipu.${table} (endpoint_id, event_id, tenant_id, event_type, recorded_at, ${columns})
  select $1, l.event_id, $2, l.event_type, l.logged_at, ${values}
  from (values ${rows}) s
  join quipu.tenant_log l on l.seq = s.column1 and l.tenant_id = $2`

const ended = forEntries(
  'delivery',
  'status, ended_at, fencing_token, has_paused, attempts',
  `(1, 'exhausted', 5, true), (2, 'delivered', 2, false)`,
  `s.column2, '2026-05-01T11:30:00Z', s.column3, s.column4, '{"{}"}'`,
)

/** Waiting for a retry, leased, queued for a worker, due exactly now, resent after it was exhausted. */
const open = forEntries(
  'delivery_open',
  `next_at, fencing_token, is_leased, out_until, lost_leases, attempts, attempt_count, generation,
    return_to, ended_at`,
  `(7, '2026-05-01T12:00:01Z', 1, false, null, 0, '{"{}"}', 1, 3, null, null),
   (8, '2026-05-01T12:00:01Z', 2, true, '2026-05-01T12:00:01Z', 1, '{}', 0, 3, null, null),
   (9, '2026-05-01T12:00:01Z', 0, false, '2026-05-01T12:00:01Z', 0, '{}', 0, 3, null, null),
   (10, '2026-05-01T12:00:00Z', 2, true, '2026-05-01T12:00:00Z', 0, '{"{}"}', 1, 2, null, null),
   (11, '2026-05-01T11:59:58Z', 4, false, null, 0, '{"{}"}', 0, 3, 'exhausted', '2026-05-01T11:30:00Z'),
   (17, '2026-05-01T11:59:59Z', 1, false, null, 0, '{"{}"}', 1, 3, null, null)`,
  `s.column2::timestamptz, s.column3, s.column4, s.column5::timestamptz, s.column6, s.column7::text[],
    s.column8, s.column9, s.column10, s.column11::timestamptz`,
)

/** A leased run, and one whose lease ends now. */
const leasedRuns = `
  insert into quipu.delivery_run (endpoint_id, tenant_id, generation, first_seq, first_at, leased_until, event_ids)
  select $1, $2, 3, min(l.seq), min(l.logged_at), s.column3::timestamptz, array_agg(l.event_id order by l.seq)
  from (values (12, 13, '2026-05-01T12:00:01Z'), (14, 15, '2026-05-01T12:00:00Z')) s
  join quipu.tenant_log l on l.seq between s.column1 and s.column2 and l.tenant_id = $2
  group by s.column3`

/** Runs that were delivered: the first one in two parts, the second one alone. */
const deliveredRuns = `
  insert into quipu.delivered_run (endpoint_id, tenant_id, first_seq, first_at, part, ended_at, event_ids,
    attempted_at, status_codes, latencies_ms, excerpts)
  select $1, $2, s.column2, f.logged_at, s.column3, '2026-05-01T11:30:00Z', array_agg(l.event_id order by l.seq),
    array_agg('2026-05-01T11:29:00Z'::timestamptz + l.seq * interval '1 second' order by l.seq),
    array_agg(200 + l.seq order by l.seq), array_agg(l.seq order by l.seq),
    case s.column3 when 2 then array_agg('ok ' || l.seq order by l.seq) end
  from (values ('{4}'::int[], 3, 2), ('{3,5}', 3, 0), ('{6}', 6, 0)) s
  join quipu.tenant_log l on l.seq = any (s.column1) and l.tenant_id = $2
  join quipu.tenant_log f on f.seq = s.column2 and f.tenant_id = $2
  group by s.column2, s.column3, f.logged_at`

/** Entries from 16 on are past the cursor, the first of them under an earlier filter. */
const settings = [
  `update quipu.delivery_cursor c set seq = 15, logged_at = l.logged_at, ahead_seq = 17, open_seq = 12
   from quipu.tenant_log l where c.endpoint_id = $1 and l.tenant_id = $2 and l.seq = 15`,
  `insert into quipu.endpoint_filter (endpoint_id, until_seq, until_at, events)
   select $1, 16, l.logged_at, null from quipu.tenant_log l where l.tenant_id = $2 and l.seq = 16`,
  `update quipu.webhook_endpoint set generation = 3, events = '{payout.completed,payout.cancelled}',
     url = id || '.example', secrets = to_jsonb(array['secret of ' || id])
   where id = $1 and tenant_id = $2`,
]

/**
 * Tenant `ten_1` with endpoints `we_a` and `we_b`, whose deliveries have the same events, and `ten_2` with
 * `we_c`.
 */
export async function deliveriesInAllStates(harness: StoreHarness): Promise<void> {
  const { sql } = harness
  for (const [tenant, length] of [
    [1, 18],
    [2, 21],
  ] as const) {
    await harness.newWallet(usdt(0n), { id: `ten_${tenant}` })
    await log(sql, `ten_${tenant}`, tenant, length)
  }
  for (const [id, tenantId] of [
    ['we_a', 'ten_1'],
    ['we_b', 'ten_1'],
    ['we_c', 'ten_2'],
  ] as const) {
    await newEndpoint(harness, tenantId, id)
    for (const text of [...settings, ended, open, leasedRuns, deliveredRuns])
      await sql(text, [id, tenantId])
  }
  await sql(`set timezone = 'UTC'`)
}
