import type { DeliveryStore } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { deliveryClaims } from './delivery-claims.ts'
import { getDelivery, listDeliveries } from './delivery-list.ts'
import type { AttemptRecords } from './delivery-record.ts'

// Decided by migrations/0017-delivery-requests.sql.
const resendDelivery: Statement = {
  name: 'resend_delivery',
  text: 'select quipu.resend_delivery($1, $2, $3, $4) as result',
}

type ResendResult = Awaited<ReturnType<DeliveryStore['resend']>>

/** Deliveries in PostgreSQL. */
export const postgresDeliveryStore = (database: Database, records: AttemptRecords): DeliveryStore => ({
  ...deliveryClaims(database),
  get: (tenantId, ref) => getDelivery(database, tenantId, ref),
  list: (tenantId, endpointId, query) => listDeliveries(database, tenantId, endpointId, query),
  record: records.record,
  resend: async (tenantId, { endpointId, eventId }) => {
    const values = [tenantId, endpointId, eventId, database.clockOverride()]
    const [row] = await database.query<{ result: ResendResult }>(resendDelivery, values)
    return row?.result ?? 'not_found'
  },
})
