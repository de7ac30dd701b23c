import type { DeliveryStore } from '@quipu/core/adapter'
import { type Database, statement } from '../connection/database.ts'
import { deliveryClaims } from './delivery-claims.ts'
import { getDelivery, listDeliveries } from './delivery-list.ts'
import type { AttemptRecords } from './delivery-record.ts'

// Decided by migrations/0017-delivery-requests.sql.
const resendDelivery = statement('resend_delivery')`select quipu.resend_delivery($1, $2, $3, $4) as result`

const replayDeliveries = statement('replay_deliveries')`
  select result, resent, last_at as "lastAt", last_seq::text as "lastSeq"
  from quipu.replay_deliveries($1, $2, $3, $4, $5, $6)`

type Replayed = {
  readonly result: 'committed' | 'not_found' | 'paused_by_operator' | 'future'
  readonly resent: number
  readonly lastAt: Date | null
  readonly lastSeq: string | null
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
  replay: async (tenantId, endpointId, { since, after, limit }) => {
    const place = [after?.createdAt ?? since, after?.id ?? 0]
    const values = [tenantId, endpointId, ...place, limit, database.clockOverride()]
    const [row] = await database.query<Replayed>(replayDeliveries, values)
    if (row?.result !== 'committed') return row?.result ?? 'not_found'
    const { resent, lastAt, lastSeq } = row
    return { resent, next: lastAt && lastSeq !== null ? { createdAt: lastAt, id: lastSeq } : null }
  },
})
