import type { Delivery } from '@quipu/core'
import { eventIdOfDelivery, instantOfDelivery } from '@quipu/core/adapter'
import { type Database, statement } from '../connection/database.ts'
import { fundingEventTypes } from '../event/funding-event-types.ts'
import { lowestEventId } from '../page.ts'
import { getDelivery } from './delivery-list.ts'

/**
 * The endpoints that may have received the events of an instant. Parameters: $1 and $2 bounds of their ids, $3
 * `fundingEventTypes`.
 */
const receivers = statement('overview.receivers')`
  select w.tenant_id, w.id as endpoint_id, e.event_id
  from (
    select e.tenant_id, e.event_id from quipu.payout_events($1::uuid, $2::uuid) e
    union all
    select e.tenant_id, e.event_id from unnest($3::text[]) k (type) cross join lateral (
      select * from quipu.funding_entry e
      where e.type = k.type and e.event_id between $1::uuid and $2::uuid order by e.event_id
    ) e
  ) e cross join lateral (
    select w.id, w.tenant_id from quipu.webhook_endpoint w where w.tenant_id = e.tenant_id offset 0
  ) w`

type Receiver = { readonly tenant_id: string; readonly endpoint_id: string; readonly event_id: string }

/** A delivery of any tenant. Its id contains the instant of its event, and hides event and endpoint. */
export async function findDelivery(database: Database, id: string): Promise<Delivery | undefined> {
  const at = instantOfDelivery(id)
  if (at === undefined) return undefined
  const bounds = [lowestEventId(at.getTime()), lowestEventId(at.getTime() + 1)]
  const rows = await database.read<Receiver>(receivers, [...bounds, fundingEventTypes])
  const receiver = rows.find((row) => eventIdOfDelivery(row.endpoint_id, id) === row.event_id)
  if (receiver === undefined) return undefined
  const { tenant_id: tenantId, endpoint_id: endpointId, event_id: eventId } = receiver
  return getDelivery(database, tenantId, { endpointId, eventId })
}
