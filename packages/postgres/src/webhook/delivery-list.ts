import type { Delivery, Page } from '@quipu/core'
import type { DeliveryQuery, DeliveryRef } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { deliveryFromRow, type DeliveryRow } from './delivery-row.ts'

// A delivery is in one of five places, and one snapshot shows it in exactly one: past the cursor of its
// endpoint, in a leased run, in a row of `delivery_open`, of `delivery`, or of `delivered_run`. The functions
// that are called here are in migrations/0018-delivery-lists.sql. Parameters: $1 tenant, $2 endpoint.

const own = `
  select w.id, w.tenant_id, w.events, c as cursor,
    case w.status when 'paused' then 'held' else 'pending' end as status
  from quipu.webhook_endpoint w join quipu.delivery_cursor c on c.endpoint_id = w.id
  where w.id = $2 and w.tenant_id = $1`

const noAttempt = `null::timestamptz, null::int, null::int, null::text`

/**
 * The columns of each place, in the order of `statement`: event, type, status, next attempt, end, attempts …
 */
const pastCursor = `p.event_id, p.event_type, own.status, p.recorded_at, null::timestamptz, '{}'::text[]`
const inRun = `e.event_id, null, own.status, r.leased_until, null, '{}'`
const openRow = `
  d.event_id, d.event_type, case when d.return_to is null then own.status else 'pending' end,
  d.next_at, null, d.attempts`
const endedRow = `d.event_id, d.event_type, d.status, null::timestamptz, d.ended_at, d.attempts`
const arrived = `
  a.event_id, null, 'delivered', null::timestamptz, a.ended_at, null::text[], a.attempted_at,
  a.status_code, a.latency_ms, a.excerpt`

/** Parameters: $3 the exclusive upper event, $4 its instant, $5 number of rows. */
const pages = {
  pastCursor: `
    select ${pastCursor}, ${noAttempt} from quipu.pending_page(own.cursor, own.events, $3, $4, $5::int) p`,
  runs: `
    select ${inRun}, ${noAttempt}
    from quipu.delivery_run r cross join lateral unnest(r.event_ids) e (event_id)
    where r.endpoint_id = own.id and e.event_id < $3`,
  open: (condition: string) => `
    select ${openRow}, ${noAttempt} from quipu.delivery_open d
    where d.endpoint_id = own.id and d.event_id < $3 and d.recorded_at <= $4 and ${condition}
    order by d.event_id desc limit $5`,
  ended: (condition: string) => `
    select ${endedRow}, ${noAttempt} from quipu.delivery d
    where d.endpoint_id = own.id and d.event_id < $3 and d.recorded_at <= $4 and ${condition}
    order by d.event_id desc limit $5`,
  arrived: `select ${arrived} from quipu.delivered_page(own.id, $3, $4, $5::int) a`,
}

/** Joins the log for the event type of deliveries without a row of their own. */
const statement = (name: string, parts: readonly string[]): Statement => ({
  name,
  text: `
    with own as materialized (${own}), found as materialized (
      select own.id as endpoint_id, own.tenant_id, d.*
      from own cross join lateral (
        ${parts.map((part) => `(${part})`).join(' union all ')}
      ) d (event_id, event_type, status, next_at, ended_at, attempts, attempted_at, status_code,
        latency_ms, excerpt)
      order by d.event_id desc ${name === 'delivery.get' ? '' : 'limit $5'}
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
    order by f.event_id desc`,
})

const get = statement('delivery.get', [
  `select ${pastCursor.replace('p.recorded_at', 'p.logged_at').replace('p.event_id', '$3::uuid')}, ${noAttempt}
    from quipu.pending_event(own.cursor, $3) p`,
  `select ${inRun}, ${noAttempt}
    from quipu.delivery_run r cross join lateral (select $3::uuid) e (event_id)
    where r.endpoint_id = own.id and e.event_id = any (r.event_ids)`,
  `select ${openRow}, ${noAttempt} from quipu.delivery_open d
    where d.endpoint_id = own.id and d.event_id = $3`,
  `select ${endedRow}, ${noAttempt} from quipu.delivery d
    where d.endpoint_id = own.id and d.event_id = $3 and d.recorded_at = uuid_extract_timestamp($3)`,
  `select a.event_id, null, 'delivered', null::timestamptz, r.ended_at, null::text[], a.attempted_at,
      a.status_code, a.latency_ms, a.excerpt
    from quipu.delivered_in_run(own.id, $3) r
    cross join lateral unnest(r.event_ids, r.attempted_at, r.status_codes, r.latencies_ms, r.excerpts)
      a (event_id, attempted_at, status_code, latency_ms, excerpt)
    where a.event_id = $3`,
])

const isActive = `own.status = 'pending'`
const isPaused = `own.status = 'held'`

const list = statement('delivery.list', [
  pages.pastCursor,
  pages.runs,
  pages.open('true'),
  pages.ended('true'),
  pages.arrived,
])
const lists: Readonly<Record<Delivery['status'], Statement>> = {
  // At a paused endpoint only pending resends, which have an index of their own.
  pending: statement('delivery.list_pending', [
    `select * from (${pages.pastCursor}) p where ${isActive}`,
    `${pages.runs} and ${isActive}`,
    pages.open(isActive),
    pages.open(`${isPaused} and d.return_to is not null`),
  ]),
  held: statement('delivery.list_held', [
    `select * from (${pages.pastCursor}) p where ${isPaused}`,
    `${pages.runs} and ${isPaused}`,
    pages.open(`${isPaused} and d.return_to is null`),
  ]),
  delivered: statement('delivery.list_delivered', [
    pages.ended(`d.status = 'delivered'`),
    pages.arrived,
  ]),
  exhausted: statement('delivery.list_exhausted', [pages.ended(`d.status = 'exhausted'`)]),
}

export const deliveryListStatements: readonly Statement[] = [get, list, ...Object.values(lists)]

export async function getDelivery(
  database: Database,
  tenantId: string,
  { endpointId, eventId }: DeliveryRef,
): Promise<Delivery | undefined> {
  const [row] = await database.read<DeliveryRow>(get, [tenantId, endpointId, eventId])
  return row && deliveryFromRow(row)
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function listDeliveries(
  database: Database,
  tenantId: string,
  endpointId: string,
  { after, limit, status }: DeliveryQuery,
): Promise<Page<Delivery>> {
  const query = status === undefined ? list : lists[status]
  const before = [after?.id ?? lastId, after?.createdAt ?? 'infinity']
  const values = [tenantId, endpointId, ...before, limit + 1]
  const rows = await database.read<DeliveryRow>(query, values)
  const items = rows.slice(0, limit).map(deliveryFromRow)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, next: last ? { createdAt: last.createdAt, id: last.eventId } : null }
}
