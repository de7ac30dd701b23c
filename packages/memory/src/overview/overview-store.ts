import { deliveryId } from '@quipu/core/adapter'
import type { OverviewStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { deliveriesOf, findRecords } from '../search/find-records.ts'
import { findEvent, listEvents } from '../event/event-list.ts'
import { listEndpoints, listFaucetSends, listWallets, showEndpoint } from './lists.ts'
import { payoutActivity } from '../payout/payout-activity.ts'
import { listPayouts, readPayout } from '../payout/payout-overview.ts'

/** The records of all tenants. Each list sorts them anew: it is for tests and small databases. */
export const memoryOverviewStore = (database: Database): OverviewStore => ({
  payouts: async (query) => listPayouts(database, query),
  payout: async (id) => readPayout(database, id),
  activity: async (query) => payoutActivity(database, query),
  wallets: async (query) => listWallets(database, query),
  endpoints: async (query) => listEndpoints(database, query),
  endpoint: async (id) => {
    const row = database.webhooks.get(id)
    return row && showEndpoint(row)
  },
  faucetSends: async (query) => listFaucetSends(database, query),
  events: async (query) => listEvents(database, query),
  event: async (id) => findEvent(database, id),
  find: async (text) => findRecords(database, text),
  delivery: async (id) =>
    Array.from(database.tenants.values(), deliveriesOf)
      .flat()
      .find(({ endpointId, eventId }) => deliveryId(endpointId, eventId) === id),
  deliveriesOf: async (tenantId, eventId) => {
    const tenantData = database.tenants.get(tenantId)
    const deliveries = tenantData ? deliveriesOf(tenantData) : []
    return deliveries.filter((delivery) => delivery.eventId === eventId)
  },
})
