import type { FaucetSend, Page, PageQuery } from '@quipu/core'
import type { AllFaucetSendsQuery, EndpointOverview, EndpointOverviewQuery, WalletOverview } from '@quipu/core/operator'
import type { Database, TenantData, WalletRow } from '../table/database.ts'
import type { WebhookRow } from '../table/webhook-row.ts'
import { pageOfAll } from '../page-of-all.ts'

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
const newestEntryOf = ({ loggedAt }: WalletRow): Date | null => (loggedAt.getTime() === 0 ? null : loggedAt)

export function listEndpoints(
  database: Database,
  { tenantId, status, ...query }: EndpointOverviewQuery,
): Page<EndpointOverview> {
  const rows = ofTenants(database, tenantId)
    .flatMap(({ webhooks }) => [...webhooks.values()])
    .filter(({ endpoint }) => status === undefined || endpoint.status === status)
    .map((row) => ({ id: row.endpoint.id, createdAt: row.endpoint.createdAt, shown: showEndpoint(row) }))
  const page = pageOfAll(rows, query)
  return { ...page, items: page.items.map(({ shown }) => shown) }
}

export const showEndpoint = ({ endpoint, open, isSlow, failingSince }: WebhookRow): EndpointOverview => ({
  endpoint,
  queued: open.size,
  isSlow,
  failingSince,
  oldestQueuedAt: Array.from(open, ({ event }) => event.recordedAt).reduce<Date | null>(
    (oldest, at) => (oldest === null || at < oldest ? at : oldest),
    null,
  ),
})

export function listFaucetSends(
  { faucetSends }: Database,
  { tenantId, status, address, txHash, ...query }: AllFaucetSendsQuery,
): Page<FaucetSend> {
  const wanted = faucetSends
    .map(({ send }) => send)
    .filter(
      (send) =>
        (tenantId === undefined || send.tenantId === tenantId) &&
        (status === undefined || send.status === status) &&
        (address === undefined || send.address === address) &&
        (txHash === undefined || send.transfer.txHash === txHash),
    )
  // All are of one instant, so that the ids alone order them.
  const rows = wanted.map((send) => ({ id: send.id, createdAt: new Date(0), send }))
  const page = pageOfAll(rows, query)
  return { ...page, items: page.items.map(({ send }) => send) }
}

const ofTenants = ({ tenants }: Database, tenantId: string | undefined): TenantData[] =>
  [...tenants.values()].filter(({ tenant }) => tenantId === undefined || tenant.id === tenantId)
