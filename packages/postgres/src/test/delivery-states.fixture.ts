import { usdt } from '@quipu/core'
import { newEndpoint } from './deliveries.fixture.ts'
import { insertLog, type LogEntry, uuidOf } from './event-log.fixture.ts'
import type { StoreHarness } from './stores.fixture.ts'

// Endpoints that have a delivery in every state, and what a call changes of them.

/** The instant at which the calls are made. Leases and retries end or are due exactly here, before or later. */
export const now = `'2026-05-01T12:00:00Z'::timestamptz`
const logStart = Date.parse('2026-05-01T11:00:00.000Z')

/** The instant of an entry of every log. Two entries share each. */
const instantOf = (seq: number): Date => new Date(logStart + Math.ceil(seq / 2))

/** The id of a tenant's event. Of two events of one instant the later entry has the lower id. */
export const eventId = (tenant: number, seq: number): string => uuidOf(instantOf(seq), tenant * 100 + 99 - seq)

const types: Readonly<Record<number, string>> = {
  2: 'payout.failed',
  4: 'deposit.pending',
  10: 'deposit.credited',
  16: 'deposit.in_review',
  17: 'payout.cancelled',
}

/** Entries of a tenant's log. Each has a body of its own. */
const entriesOf = (tenant: number, length: number): LogEntry[] =>
  Array.from({ length }, (_, i) => ({
    seq: i + 1,
    at: instantOf(i + 1),
    id: eventId(tenant, i + 1),
    type: types[i + 1] ?? 'payout.completed',
    body: `${tenant}-${i + 1}`,
  }))

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
  `next_at, fencing_token, is_leased, in_flight_until, lost_leases, attempts, attempt_count, generation,
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
     url = id || '.example', secrets = jsonb_build_array(jsonb_build_object('ciphertext', 'secret of ' || id, 'last_four', 'abcd',
       'created_at', '2026-04-01T00:00:00.000Z', 'expires_at', null))
   where id = $1 and tenant_id = $2`,
]

/** Tenant `ten_1` with endpoints `we_a` and `we_b`, whose deliveries have the same events, and `ten_2` with `we_c`. */
export async function deliveriesInAllStates(harness: StoreHarness): Promise<void> {
  const { sql } = harness
  for (const [tenant, length] of [
    [1, 18],
    [2, 21],
  ] as const) {
    await harness.newWallet(usdt(0n), { id: `ten_${tenant}` })
    await insertLog(sql, `ten_${tenant}`, entriesOf(tenant, length))
  }
  for (const [id, tenantId] of [
    ['we_a', 'ten_1'],
    ['we_b', 'ten_1'],
    ['we_c', 'ten_2'],
  ] as const) {
    await newEndpoint(harness, tenantId, id)
    for (const text of [...settings, ended, open, leasedRuns, deliveredRuns]) await sql(text, [id, tenantId])
  }
  await sql(`set timezone = 'UTC'`)
}
