import type { OverviewStore } from '@quipu/core/operator'
import type { Database } from '../connection/database.ts'
import { deliveriesAt, eventPlaces, ownEndpoints } from '../webhook/delivery-places.ts'
import { deliveryFromRow, type DeliveryRow } from '../webhook/delivery-row.ts'
import { listEndpoints, readEndpoint } from '../webhook/endpoint-list.ts'
import { findEvent, listEvents } from '../event/event-list.ts'
import { listFaucetSends } from '../faucet/faucet-list.ts'
import { findDelivery } from '../webhook/find-delivery.ts'
import { findRecords } from '../search/find-records.ts'
import { listPayouts } from '../payout/operator-payout-list.ts'
import { payoutActivity } from '../payout/payout-activity.ts'
import { listWallets } from '../ledger/wallet-list.ts'
import { readPayout } from '../payout/payout-record.ts'

/** Parameters: $1 tenant, $2 event. */
const deliveriesOf = deliveriesAt('overview.deliveries_of', ownEndpoints('w.tenant_id = $1'), eventPlaces('$2'))

/** The records of all tenants in PostgreSQL. */
export const postgresOverviewStore = (database: Database): OverviewStore => ({
  payouts: (query) => listPayouts(database, query),
  payout: (id) => readPayout(database, id),
  activity: (query) => payoutActivity(database, query),
  wallets: (query) => listWallets(database, query),
  endpoints: (query) => listEndpoints(database, query),
  endpoint: (id) => readEndpoint(database, id),
  faucetSends: (query) => listFaucetSends(database, query),
  events: (query) => listEvents(database, query),
  event: (id) => findEvent(database, id),
  find: (text) => findRecords(database, text),
  delivery: (id) => findDelivery(database, id),
  deliveriesOf: async (tenantId, eventId) => {
    const rows = await database.list<DeliveryRow>(deliveriesOf, [tenantId, eventId])
    return rows.map(deliveryFromRow)
  },
})
