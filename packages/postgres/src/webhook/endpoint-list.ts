import type { Page } from '@quipu/core'
import type { EndpointOverview, EndpointOverviewQuery } from '@quipu/core/operator'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { idBoundsOf, pageOf } from '../page.ts'
import { endpointColumns, endpointFromRow, type EndpointRow } from './webhook-row.ts'

// Endpoints are in the order of their ids, which begin with their creation instant. Parameters: $1 exclusive
// upper id, $2 inclusive lower id, $3 number of rows, $4 status or null.

/** Event ids begin with their instants. */
const oldestQueued = `
  select min(o.at) from (
    (select d.recorded_at from quipu.delivery_open d where d.endpoint_id = w.id
    order by d.event_id limit 1)
    union all
    (select r.first_at from quipu.delivery_run r where r.endpoint_id = w.id
    order by r.first_seq limit 1)
    union all
    select n.logged_at from quipu.delivery_cursor c
    cross join lateral quipu.next_events(c.tenant_id, w.events, c.logged_at, c.seq, 1) n
    where c.endpoint_id = w.id
  ) o (at)`

const shownColumns = `
  ${endpointColumns}, w.is_slow, w.failing_since, quipu.count_queued(w.id)::int as queued,
  (${oldestQueued}) as oldest_queued_at`

const listing = (name: string, from: string): Statement => statement(name)`
  with page as materialized (
    select * from ${from} w
    where w.id < $1 and w.id >= $2 and ($4::text is null or w.status = $4)
    order by w.id desc limit $3
  )
  select ${shownColumns} from page w order by w.id desc`

const list = listing('overview.endpoints', 'quipu.webhook_endpoint')
/** Parameters: $5 tenant. */
const ofTenant = listing(
  'overview.endpoints_of_tenant',
  '(select * from quipu.webhook_endpoint where tenant_id = $5 offset 0)',
)

/** Parameters: $1 id. */
const one = statement('overview.endpoint')`select ${shownColumns} from quipu.webhook_endpoint w where w.id = $1`

type OverviewRow = EndpointRow & {
  readonly is_slow: boolean
  readonly failing_since: Date | null
  readonly queued: number
  readonly oldest_queued_at: Date | null
}

export async function readEndpoint(database: Database, id: string): Promise<EndpointOverview | undefined> {
  const [row] = await database.list<OverviewRow>(one, [id])
  return row && shownFromRow(row)
}

export async function listEndpoints(
  database: Database,
  { tenantId, status, ...query }: EndpointOverviewQuery,
): Promise<Page<EndpointOverview>> {
  const values = [...idBoundsOf('we', query), query.limit + 1, status ?? null]
  const rows =
    tenantId === undefined
      ? await database.list<OverviewRow>(list, values)
      : await database.list<OverviewRow>(ofTenant, [...values, tenantId])
  const page = pageOf(
    rows.map((row) => ({ id: row.id, createdAt: row.created_at, shown: shownFromRow(row) })),
    query.limit,
  )
  return { ...page, items: page.items.map(({ shown }) => shown) }
}

const shownFromRow = (row: OverviewRow): EndpointOverview => ({
  endpoint: endpointFromRow(row),
  queued: row.queued,
  oldestQueuedAt: row.queued === 0 ? null : row.oldest_queued_at,
  isSlow: row.is_slow,
  failingSince: row.failing_since,
})
