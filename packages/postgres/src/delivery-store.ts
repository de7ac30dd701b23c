import type { DeliveryRef, DeliveryStore } from '@quipu/core'
import type { Database, Statement } from './database.ts'
import { deliveryClaims } from './delivery-claims.ts'
import { getDelivery, listDeliveries } from './delivery-list.ts'
import type { AttemptRecords } from './delivery-record.ts'

/** Takes an ended delivery back: open for one attempt, and then what it was unless that succeeds. */
const resend: Statement = {
  name: 'delivery.resend',
  text: `
    with ended as (
      delete from quipu.delivery d
      using quipu.webhook_endpoint w
      where w.id = $2 and w.tenant_id = $1 and d.endpoint_id = $2 and d.event_id = $3
        and d.recorded_at = uuid_extract_timestamp($3)
      returning d.*, w.round
    )
    insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at,
      next_at, round, fence, recorded_fence, attempts, return_to, ended_at)
    select endpoint_id, event_id, tenant_id, event_type, recorded_at,
      quipu.store_now($4), round, fence, fence, attempts, status, ended_at
    from ended
    returning event_id`,
}

export const deliveryStatements: readonly Statement[] = [resend]

/** Deliveries in PostgreSQL. They are made with their event, by the database. */
export const postgresDeliveryStore = (
  database: Database,
  records: AttemptRecords,
): DeliveryStore => ({
  ...deliveryClaims(database),
  get: (tenantId, ref) => getDelivery(database, tenantId, ref),
  list: (tenantId, endpointId, query) => listDeliveries(database, tenantId, endpointId, query),
  record: records.record,
  resend: (tenantId, ref) => resendDelivery(database, tenantId, ref),
})

async function resendDelivery(
  database: Database,
  tenantId: string,
  ref: DeliveryRef,
): Promise<'committed' | 'pending' | 'not_found'> {
  const values = [tenantId, ref.endpointId, ref.eventId, database.now()]
  for (;;) {
    const rows = await database.query(resend, values)
    if (rows.length > 0) return 'committed'
    const found = await getDelivery(database, tenantId, ref)
    if (found === undefined) return 'not_found'
    if (found.status === 'pending') return 'pending'
    // It has ended between the two looks.
  }
}
