import type { Delivery, Page } from '@quipu/core'
import type { DeliveryQuery, DeliveryRef } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { deliveriesAt, deliveryPlaces, eventPlaces, ownEndpoints } from './delivery-places.ts'
import { deliveryFromRow, type DeliveryRow } from './delivery-row.ts'

// Parameters: $1 tenant, $2 endpoint; of a page: $3 the exclusive upper event, $4 its instant, $5 number of rows.

const own = ownEndpoints('w.id = $2 and w.tenant_id = $1')
const places = deliveryPlaces({ before: '$3', instant: '$4', rows: '$5' })

const get = deliveriesAt('delivery.get', own, eventPlaces('$3'))
const listOf = (name: string, status: Delivery['status'] | 'any'): Statement =>
  deliveriesAt(name, own, places[status], 'limit $5')

const list = listOf('delivery.list', 'any')
const lists: Readonly<Record<Delivery['status'], Statement>> = {
  pending: listOf('delivery.list_pending', 'pending'),
  held: listOf('delivery.list_held', 'held'),
  delivered: listOf('delivery.list_delivered', 'delivered'),
  exhausted: listOf('delivery.list_exhausted', 'exhausted'),
}

export const deliveryListStatements: readonly Statement[] = [get, list, ...Object.values(lists)]

export async function getDelivery(
  database: Database,
  tenantId: string,
  { endpointId, eventId }: DeliveryRef,
): Promise<Delivery | undefined> {
  const [row] = await database.list<DeliveryRow>(get, [tenantId, endpointId, eventId])
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
  const rows = await database.list<DeliveryRow>(query, values)
  const items = rows.slice(0, limit).map(deliveryFromRow)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, next: last ? { createdAt: last.createdAt, id: last.eventId } : null }
}
