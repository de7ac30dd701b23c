import type { DeliveryRef, DeliveryStore } from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { deliveryClaims } from './delivery-claims.ts'
import { getDelivery, listDeliveries } from './delivery-list.ts'
import type { AttemptRecords } from './delivery-record.ts'

/** Takes an ended delivery back: open for one attempt, and then what it was unless that succeeds. */
const resendEnded: Statement = {
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

/** Makes what a paused endpoint holds due for one attempt, unless an attempt is under way. */
const resendHeld: Statement = {
  name: 'delivery.resend_held',
  text: `
    with own as materialized (
      select w.id from quipu.webhook_endpoint w
      where w.id = $2 and w.tenant_id = $1 and w.status = 'paused' for share
    )
    update quipu.delivery_open d
    set return_to = 'held', next_at = clock.now, out_until = null, is_leased = false,
      lost_leases = d.lost_leases + d.is_leased::int
    from own, (select quipu.store_now($4)) clock (now)
    where d.endpoint_id = $2 and d.event_id = $3 and d.return_to is null
      and (d.out_until is null or d.out_until <= clock.now)
    returning d.event_id`,
}

export const deliveryStatements: readonly Statement[] = [resendEnded, resendHeld]

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
    for (const statement of [resendEnded, resendHeld])
      if ((await database.query(statement, values)).length > 0) return 'committed'
    const found = await getDelivery(database, tenantId, ref)
    if (found === undefined) return 'not_found'
    if (found.status === 'pending' || found.status === 'held') return 'pending'
    // It has ended between the two looks.
  }
}
