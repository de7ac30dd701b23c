import { type Tenant, usdt } from '@quipu/core'
import type { TenantStore } from '@quipu/core/adapter'
import {
  type ActionOf,
  type AuditAuthor,
  dailyUseAt,
  limitsOf,
  noDailyUse,
  raisedLimits,
  type TenantRecord,
  tenantChanged,
  tenantCreated,
} from '@quipu/core/operator'
import { writeAudit } from './audit-log.ts'
import { rememberRequest } from './operator-requests.ts'
import { type Database, positionOf, type TenantData, tenantDataOf } from '../database.ts'
import { actingToken, requirePerson } from '../operator-token/acting-token.ts'
import { lazily } from '../lazily.ts'
import { newestFirst } from '../newest-first.ts'

export const memoryTenantStore = (database: Database): TenantStore => ({
  create: async (tenant, walletId, actor, request) => {
    if (database.tenants.has(tenant.id)) throw new Error(`tenant ${tenant.id} exists`)
    const used = rememberRequest(database, actor, request, tenant.id)
    if (used !== undefined) return used
    database.tenants.set(tenant.id, emptyTenantData(tenant, walletId))
    database.tenantOrder.add(positionOf(tenant))
    writeAudit(database, tenantCreated(tenant, actor))
    return 'committed'
  },
  find: async (id) => recordOf(database, id),
  list: async (query) => database.tenantOrder.page(query, (id) => recordOf(database, id)),
  update: async (next, action, author) => {
    const { id, legalName, technicalContact, status, pricing, dailyLimits, revision } = next
    const tenantData = database.tenants.get(id)
    if (tenantData?.tenant.revision !== revision - 1) return 'stale'
    const before = tenantData.tenant
    const changed = { legalName, technicalContact, status, pricing, dailyLimits }
    if (Object.keys(raisedLimits(limitsOf(before), limitsOf(changed))).length > 0) {
      const acting = actingToken(database, author.tokenHash ?? '', ['admin'], author.at)
      if (!acting) return 'unauthorized'
      requirePerson(acting, author.actor)
    }
    const entry = tenantChanged(action, before, changed, author)
    tenantData.tenant = { ...before, ...changed, revision }
    writeAudit(database, entry)
    return 'committed'
  },
})

/** Sets the limits of an approved proposal. */
export function changeLimits(
  database: Database,
  { tenantId, limits }: ActionOf<'change_limits'>,
  author: AuditAuthor,
  proposalId: string,
): void {
  const tenantData = tenantDataOf(database, tenantId)
  const before = tenantData.tenant
  const { paymentCap, ...dailyLimits } = { ...limitsOf(before), ...limits }
  const pricing = { ...before.pricing, paymentCap }
  tenantData.tenant = { ...before, pricing, dailyLimits, revision: before.revision + 1 }
  writeAudit(
    database,
    tenantChanged('tenant.update', before, tenantData.tenant, author, proposalId),
  )
}

function recordOf(database: Database, id: string): TenantRecord | undefined {
  const tenantData = database.tenants.get(id)
  if (tenantData === undefined) return undefined
  const { tenant, wallet } = tenantData
  return { ...tenant, usedToday: dailyUseAt(wallet.dailyUse, database.now()) }
}

const emptyTenantData = (tenant: Tenant, walletId: string): TenantData =>
  tenantDataLike({
    tenant,
    wallet: {
      id: walletId,
      createdAt: tenant.createdAt,
      updatedAt: tenant.createdAt,
      loggedAt: new Date(0),
      balance: { available: usdt(0n), held: usdt(0n) },
      dailyUse: { ...noDailyUse, day: '' },
      transfers: [],
      transactions: [],
      adjustmentIds: new Set(),
      payoutPostings: new Map(),
    },
  })

const tenantDataLike = lazily<TenantData>({
  quotes: () => new Map(),
  resolutions: () => new Map(),
  payouts: () => new Map(),
  transactions: () => new Map(),
  payoutOrder: newestFirst,
  keyOrder: newestFirst,
  events: () => new Map(),
  eventOrder: newestFirst,
  webhooks: () => new Map(),
  webhookOrder: newestFirst,
  addresses: () => new Map(),
  depositOrder: newestFirst,
  faucetSends: () => new Map(),
})
