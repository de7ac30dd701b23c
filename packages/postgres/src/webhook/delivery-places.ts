import type { Delivery } from '@quipu/core'
import { type Statement, statement } from '../connection/database.ts'

// A delivery is in one of five places, and one snapshot shows it in exactly one: past the cursor of its endpoint, in a
// leased run, in a row of `delivery_open`, of `delivery`, or of `delivered_run`. The functions that are called here are
// in migrations/0018-delivery-lists.sql. Each place is read for one row of `own`, an endpoint with its cursor.

/** @param condition selects the endpoints by table `w` */
export const ownEndpoints = (condition: string): string => `
  select w.id, w.tenant_id, w.events, c as cursor,
    case w.status when 'paused' then 'held' else 'pending' end as status
  from quipu.webhook_endpoint w join quipu.delivery_cursor c on c.endpoint_id = w.id
  where ${condition}`

const noAttempt = `null::timestamptz, null::int, null::int, null::text`

/** The columns of each place, in the order of `statement`: event, type, status, next attempt, end, attempts … */
const pastCursor = `p.event_id, p.event_type, own.status, p.recorded_at, null::timestamptz, '{}'::text[]`
const inRun = `e.event_id, null, own.status, r.leased_until, null, '{}'`
const openRow = `
  d.event_id, d.event_type, case when d.return_to is null then own.status else 'pending' end,
  d.next_at, null, d.attempts`
const endedRow = `d.event_id, d.event_type, d.status, null::timestamptz, d.ended_at, d.attempts`
const arrived = `
  a.event_id, null, 'delivered', null::timestamptz, a.ended_at, null::text[], a.attempted_at,
  a.status_code, a.latency_ms, a.excerpt`

/** Where a page ends: the exclusive upper event, its instant, and the number of rows. */
type PageEnd = { readonly before: string; readonly instant: string; readonly rows: string }

const pagesTo = ({ before, instant, rows }: PageEnd) => ({
  pastCursor: `
    select ${pastCursor}, ${noAttempt}
    from quipu.pending_page(own.cursor, own.events, ${before}, ${instant}, ${rows}::int) p`,
  runs: `
    select ${inRun}, ${noAttempt}
    from quipu.delivery_run r cross join lateral unnest(r.event_ids) e (event_id)
    where r.endpoint_id = own.id and e.event_id < ${before}`,
  open: (condition: string) => `
    select ${openRow}, ${noAttempt} from quipu.delivery_open d
    where d.endpoint_id = own.id and d.event_id < ${before} and d.recorded_at <= ${instant} and ${condition}
    order by d.event_id desc limit ${rows}`,
  ended: (condition: string) => `
    select ${endedRow}, ${noAttempt} from quipu.delivery d
    where d.endpoint_id = own.id and d.event_id < ${before} and d.recorded_at <= ${instant} and ${condition}
    order by d.event_id desc limit ${rows}`,
  arrived: `
    select ${arrived} from quipu.delivered_page(own.id, ${before}, ${instant}, ${rows}::int) a`,
})

const isActive = `own.status = 'pending'`
const isPaused = `own.status = 'held'`

/** The places to read for a page of deliveries of each status, and of any. */
export function deliveryPlaces(end: PageEnd): Readonly<Record<Delivery['status'] | 'any', readonly string[]>> {
  const pages = pagesTo(end)
  return {
    any: [pages.pastCursor, pages.runs, pages.open('true'), pages.ended('true'), pages.arrived],
    // At a paused endpoint only pending resends, which have an index of their own.
    pending: [
      `select * from (${pages.pastCursor}) p where ${isActive}`,
      `${pages.runs} and ${isActive}`,
      pages.open(isActive),
      pages.open(`${isPaused} and d.return_to is not null`),
    ],
    held: [
      `select * from (${pages.pastCursor}) p where ${isPaused}`,
      `${pages.runs} and ${isPaused}`,
      pages.open(`${isPaused} and d.return_to is null`),
    ],
    delivered: [pages.ended(`d.status = 'delivered'`), pages.arrived],
    exhausted: [pages.ended(`d.status = 'exhausted'`)],
  }
}

/** The places of the deliveries of one event. */
export const eventPlaces = (event: string): readonly string[] => [
  `select ${pastCursor.replace('p.recorded_at', 'p.logged_at').replace('p.event_id', `${event}::uuid`)}, ${noAttempt}
    from quipu.pending_event(own.cursor, ${event}) p`,
  `select ${inRun}, ${noAttempt}
    from quipu.delivery_run r cross join lateral (select ${event}::uuid) e (event_id)
    where r.endpoint_id = own.id and e.event_id = any (r.event_ids)`,
  `select ${openRow}, ${noAttempt} from quipu.delivery_open d
    where d.endpoint_id = own.id and d.event_id = ${event}`,
  `select ${endedRow}, ${noAttempt} from quipu.delivery d
    where d.endpoint_id = own.id and d.event_id = ${event} and d.recorded_at = uuid_extract_timestamp(${event})`,
  `select a.event_id, null, 'delivered', null::timestamptz, r.ended_at, null::text[], a.attempted_at,
      a.status_code, a.latency_ms, a.excerpt
    from quipu.delivered_in_run(own.id, ${event}) r
    cross join lateral unnest(r.event_ids, r.attempted_at, r.status_codes, r.latencies_ms, r.excerpts)
      a (event_id, attempted_at, status_code, latency_ms, excerpt)
    where a.event_id = ${event}`,
]

/**
 * Reads the deliveries of these endpoints in these places, newest first. Joins the log for the event type of
 * those without a row of their own.
 *
 * @param own the endpoints, by `ownEndpoints`
 */
export const deliveriesAt = (name: string, own: string, places: readonly string[], limit = ''): Statement => statement(
  name,
)`
  with own as materialized (${own}), found as materialized (
    select own.id as endpoint_id, own.tenant_id, d.*
    from own cross join lateral (
      ${places.map((place) => `(${place})`).join(' union all ')}
    ) d (event_id, event_type, status, next_at, ended_at, attempts, attempted_at, status_code,
      latency_ms, excerpt)
    order by d.event_id desc, own.id desc ${limit}
  )
  select f.endpoint_id, f.tenant_id, f.event_id, coalesce(f.event_type, l.event_type) as event_type,
    uuid_extract_timestamp(f.event_id) as recorded_at, f.status, f.next_at, f.ended_at, f.attempts,
    f.attempted_at, f.status_code, f.latency_ms, f.excerpt
  from found f
  left join lateral (
    select l.event_type from quipu.tenant_log l
    where f.event_type is null and l.tenant_id = f.tenant_id
      and l.logged_at = uuid_extract_timestamp(f.event_id) and l.event_id = f.event_id
    limit 1
  ) l on true
  order by f.event_id desc, f.endpoint_id desc`
