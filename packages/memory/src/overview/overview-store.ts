import type { Delivery } from '@quipu/core'
import type { OverviewStore } from '@quipu/core/operator'
import type { Database } from '../database.ts'
import { viewDelivery } from '../webhook/delivery-store.ts'
import { findRecords } from './find-records.ts'
import { listEndpoints, listWallets, showEndpoint } from './lists.ts'
import { listPayouts, readPayout } from './payout-overview.ts'

/** The records of all tenants. Each list sorts them anew: it is for tests and small databases. */
export const memoryOverviewStore = (database: Database): OverviewStore => ({
  payouts: async (query) => listPayouts(database, query),
  payout: async (id) => readPayout(database, id),
  wallets: async (query) => listWallets(database, query),
  endpoints: async (query) => listEndpoints(database, query),
  endpoint: async (id) => {
    const row = database.webhooks.get(id)
    return row && showEndpoint(row)
  },
  find: async (text) => findRecords(database, text),
  deliveriesOf: async (tenantId, eventId) => deliveriesOf(database, tenantId, eventId),
})

function deliveriesOf(database: Database, tenantId: string, eventId: string): readonly Delivery[] {
  const rows = [...(database.tenants.get(tenantId)?.webhooks.values() ?? [])]
  return rows.flatMap(({ endpoint, deliveries }) => {
    const row = deliveries.get(eventId)
    return row ? [viewDelivery(endpoint, row)] : []
  })
}
