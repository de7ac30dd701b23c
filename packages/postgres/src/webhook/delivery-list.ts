import type { Delivery, DeliveryQuery, DeliveryRef, Page } from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { deliveryFromRow, type DeliveryRow, endedColumns, openColumns } from './delivery-row.ts'

// A delivery is in one of two tables, and a statement sees it in exactly one. Ids of events sort as
// their instants do, so pages go by them; the instant is said as well, since partitions go by it.
// $1 tenant, $2 endpoint.

const own =
  'select w.id, w.status from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1'

const get: Statement = {
  name: 'delivery.get',
  text: `
    with own as materialized (${own})
    select d.* from own cross join lateral (
      (select ${openColumns} from quipu.delivery_open d
        where d.endpoint_id = own.id and d.event_id = $3 limit 1)
      union all
      (select ${endedColumns} from quipu.delivery d
        where d.endpoint_id = own.id and d.event_id = $3
          and d.recorded_at = uuid_extract_timestamp($3) limit 1)
    ) d`,
}

/** $3 the event before which, $4 its instant, $5 how many rows. */
const openPage = (condition: string): string => `
  select ${openColumns} from quipu.delivery_open d
  where d.endpoint_id = own.id and d.event_id < $3 and d.recorded_at <= $4 and ${condition}
  order by d.event_id desc limit $5`

const isActive = `own.status = 'active'`
const isPaused = `own.status = 'paused'`

const endedPage = (status: string): string => `
  select ${endedColumns} from quipu.delivery d
  where d.endpoint_id = own.id and d.event_id < $3 and d.recorded_at <= $4 and ${status}
  order by d.event_id desc limit $5`

const listing = (name: string, page: string): Statement => ({
  name,
  text: `
    with own as materialized (${own})
    select d.* from own cross join lateral (${page}) d order by d.event_id desc limit $5`,
})

const list = listing('delivery.list', `(${openPage('true')}) union all (${endedPage('true')})`)
const lists: Readonly<Record<Delivery['status'], Statement>> = {
  // At a paused endpoint only what is sent once on request, which has an index of its own.
  pending: listing(
    'delivery.list_pending',
    `(${openPage(isActive)}) union all (${openPage(`${isPaused} and d.return_to is not null`)})`,
  ),
  held: listing('delivery.list_held', openPage(`${isPaused} and d.return_to is null`)),
  delivered: listing('delivery.list_delivered', endedPage(`d.status = 'delivered'`)),
  exhausted: listing('delivery.list_exhausted', endedPage(`d.status = 'exhausted'`)),
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
  const statement = status === undefined ? list : lists[status]
  const before = [after?.id ?? lastId, after?.createdAt ?? 'infinity']
  const values = [tenantId, endpointId, ...before, limit + 1]
  const rows = await database.read<DeliveryRow>(statement, values)
  const items = rows.slice(0, limit).map(deliveryFromRow)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, next: last ? { createdAt: last.createdAt, id: last.eventId } : null }
}
