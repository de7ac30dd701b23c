import type { Page, PageQuery } from '@quipu/core'
import type { EndpointOverview, EndpointOverviewQuery, WalletOverview } from '@quipu/core/operator'
import type { Database, TenantData, WalletRow } from '../database.ts'
import type { WebhookRow } from '../webhook/webhook-row.ts'
import { pageOfAll } from './page-of-all.ts'

export function listWallets(
  database: Database,
  { tenantId, ...query }: PageQuery & { readonly tenantId?: string },
): Page<WalletOverview> {
  const rows = ofTenants(database, tenantId).map(({ tenant, wallet }) => ({
    id: wallet.id,
    tenantId: tenant.id,
    ...wallet.balance,
    newestEntryAt: newestEntryOf(wallet),
    createdAt: wallet.createdAt,
    updatedAt: wallet.updatedAt,
  }))
  return pageOfAll(rows, query)
}

/** A log without an entry has the instant 0. */
const newestEntryOf = ({ loggedAt }: WalletRow): Date | null =>
  loggedAt.getTime() === 0 ? null : loggedAt

export function listEndpoints(
  database: Database,
  { tenantId, status, ...query }: EndpointOverviewQuery,
): Page<EndpointOverview> {
  const rows = ofTenants(database, tenantId)
    .flatMap(({ webhooks }) => [...webhooks.values()])
    .filter(({ endpoint }) => status === undefined || endpoint.status === status)
    .map((row) => ({
      id: row.endpoint.id,
      createdAt: row.endpoint.createdAt,
      shown: showEndpoint(row),
    }))
  const page = pageOfAll(rows, query)
  return { ...page, items: page.items.map(({ shown }) => shown) }
}

export const showEndpoint = ({
  endpoint,
  open,
  isSlow,
  failingSince,
}: WebhookRow): EndpointOverview => ({
  ...{ endpoint, queued: open.size, isSlow, failingSince },
  oldestQueuedAt: Array.from(open, ({ event }) => event.recordedAt).reduce<Date | null>(
    (oldest, at) => (oldest === null || at < oldest ? at : oldest),
    null,
  ),
})

const ofTenants = ({ tenants }: Database, tenantId: string | undefined): TenantData[] =>
  [...tenants.values()].filter(({ tenant }) => tenantId === undefined || tenant.id === tenantId)
