import type { Delivery } from '@quipu/core'
import { eventIdOfDelivery, instantOfDelivery } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { getDelivery } from '../webhook/delivery-list.ts'

/**
 * The endpoints that may have received the events of an instant, one look-up in the log of each tenant.
 * Parameters: $1 instant.
 */
const receivers: Statement = {
  name: 'overview.receivers',
  text: `
    select w.tenant_id, w.id as endpoint_id, e.event_id
    from quipu.tenant t cross join lateral (
      select e.event_id from quipu.tenant_log e
      where e.tenant_id = t.id and e.logged_at = $1 and e.event_id is not null offset 0
    ) e cross join lateral (
      select w.id, w.tenant_id from quipu.webhook_endpoint w where w.tenant_id = t.id offset 0
    ) w`,
}

export const deliveryStatements: readonly Statement[] = [receivers]

type Receiver = {
  readonly tenant_id: string
  readonly endpoint_id: string
  readonly event_id: string
}

/** A delivery of any tenant. Its id contains the instant of its event, and hides event and endpoint. */
export async function findDelivery(database: Database, id: string): Promise<Delivery | undefined> {
  const at = instantOfDelivery(id)
  if (at === undefined) return undefined
  const rows = await database.read<Receiver>(receivers, [at])
  const receiver = rows.find((row) => eventIdOfDelivery(row.endpoint_id, id) === row.event_id)
  if (receiver === undefined) return undefined
  const { tenant_id: tenantId, endpoint_id: endpointId, event_id: eventId } = receiver
  return getDelivery(database, tenantId, { endpointId, eventId })
}
