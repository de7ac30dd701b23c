import { type Tenant, usdt } from '@quipu/core'
import { foldText, type TenantStore } from '@quipu/core/adapter'
import {
  type ActionOf,
  type AuditAuthor,
  dailyUseAt,
  limitsOf,
  noDailyUse,
  type TenantRecord,
  tenantChanged,
  tenantCreated,
} from '@quipu/core/operator'
import { writeAudit } from '../audit/audit-log.ts'
import { rememberRequest } from '../access/operator-requests.ts'
import { type Database, positionOf, type TenantData, tenantDataOf } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { isListed } from '../screening/screening-store.ts'
import { lazily } from '../table/lazily.ts'
import { newestFirst } from '../newest-first.ts'

export const memoryTenantStore = (database: Database): TenantStore => ({
  create: async (tenant, walletId, by, request) => {
    const acting = actingToken(database, by, tenant.createdAt, writers)
    if (!acting) return 'unauthorized'
    if (database.tenants.has(tenant.id)) throw new Error(`tenant ${tenant.id} exists`)
    const used = rememberRequest(database, acting.token.person, request, tenant.id)
    if (used !== undefined) return used
    putTenant(database, tenant, walletId)
    writeAudit(database, tenantCreated(tenant, acting.author))
    return 'committed'
  },
  find: async (id) => recordOf(database, id),
  list: async ({ text, ...query }) => {
    const part = text === undefined ? '' : foldText(text)
    return database.tenantOrder.page(query, (id) => {
      const record = recordOf(database, id)
      return record && namesOf(record).includes(part) ? record : undefined
    })
  },
  update: async (next, action, by) => {
    const acting = actingToken(database, by, by.at, writers)
    if (!acting) return 'unauthorized'
    const { id, legalName, technicalContact, status, pricing, dailyLimits, revision } = next
    const tenantData = database.tenants.get(id)
    if (tenantData?.tenant.revision !== revision - 1) return 'stale'
    if (action === 'tenant.resume' && isListed(database, id)) return 'listed'
    const before = tenantData.tenant
    const changed = { legalName, technicalContact, status, pricing, dailyLimits }
    if (acting.token.role !== 'admin' && !hasSameTerms(before, changed)) return 'unauthorized'
    const entry = tenantChanged(action, before, changed, acting.author)
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
  writeAudit(database, tenantChanged('tenant.update', before, tenantData.tenant, author, proposalId))
}

const hasSameTerms = (one: Terms, other: Terms): boolean => termsOf(one) === termsOf(other)

type Terms = Pick<Tenant, 'pricing' | 'dailyLimits'>

const termsOf = ({ pricing, dailyLimits }: Terms): string =>
  [
    pricing.marginBps,
    pricing.feeBps,
    pricing.feeFixed.minor,
    pricing.paymentCap.minor,
    dailyLimits.amount?.minor,
    dailyLimits.count,
  ].join()

const namesOf = ({ legalName, technicalContact: { name, email } }: TenantRecord): string =>
  foldText([legalName, name, email].join('\n'))

function recordOf(database: Database, id: string): TenantRecord | undefined {
  const tenantData = database.tenants.get(id)
  if (tenantData === undefined) return undefined
  const { tenant, wallet } = tenantData
  return { ...tenant, usedToday: dailyUseAt(wallet.dailyUse, database.now()) }
}

/** Adds a tenant with an empty wallet. */
export function putTenant(database: Database, tenant: Tenant, walletId: string): TenantData {
  const tenantData = emptyTenantData(tenant, walletId)
  database.tenants.set(tenant.id, tenantData)
  database.tenantOrder.add(positionOf(tenant))
  return tenantData
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
