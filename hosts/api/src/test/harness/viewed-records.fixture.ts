import { randomBytes } from 'node:crypto'
import { idSource } from '@quipu/core'
import { commitSend } from '@quipu/contracts'
import type { TestApi } from './api.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'

/** The ids of a quote, an event, an endpoint, a delivery and a faucet send of a tenant. */
export type ViewedRecords = {
  readonly quote: string
  readonly event: string
  readonly endpoint: string
  readonly delivery: string
  readonly send: string
}

/** Makes a record of each kind that operators read and tenants make. */
export async function viewedRecords(api: TestApi, tenant: TestTenant): Promise<ViewedRecords> {
  const created = await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })
  const { id: endpoint } = created.json as { id: string }
  const order = await tenant.order()
  await tenant.post('/v1/payouts', order)
  const listed = await tenant.get(`/v1/webhooks/${endpoint}/deliveries`)
  const [delivery] = (listed.json as { data: { id: string; event_id: string }[] }).data
  const world = { faucet: api.stores.faucet, ids: idSource(randomBytes) }
  const committed = await commitSend(world, tenant.id)
  if (committed.type !== 'committed' || !delivery) throw new Error('the send and the delivery are new')
  return { quote: order.quote_id, event: delivery.event_id, endpoint, delivery: delivery.id, send: committed.send.id }
}

/** The same ids by the paths that show them. */
export const viewedPaths = (records: ViewedRecords): Readonly<Record<string, string>> => ({
  '/operator/v1/quotes/{id}': records.quote,
  '/operator/v1/events/{id}': records.event,
  '/operator/v1/webhook-endpoints/{id}': records.endpoint,
  '/operator/v1/webhook-deliveries/{id}': records.delivery,
  '/operator/v1/faucet-sends/{id}': records.send,
})

/** The queries that lists need, by their paths. */
export const viewedQueries = (tenantId: string): Readonly<Record<string, string>> => ({
  '/operator/v1/search': `?q=${tenantId}`,
  '/operator/v1/webhook-deliveries': `?tenant_id=${tenantId}`,
  '/operator/v1/transactions': `?tx_hash=${'1'.repeat(64)}`,
})
