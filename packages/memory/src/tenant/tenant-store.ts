import { type Tenant, usdt } from '@quipu/core'
import { foldText, type TenantStore } from '@quipu/core/adapter'
import {
  type ActionOf,
  type AuditAuthor,
  dailyUseAt,
  erasedContact,
  limitsOf,
  needsTwoToResume,
  noDailyUse,
  noteState,
  type Suspension,
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
  update: async (next, action, by, note) => {
    const acting = actingToken(database, by, by.at, writers)
    if (!acting) return 'unauthorized'
    const { id, legalName, technicalContact, status, suspension, pricing, dailyLimits, revision } = next
    const tenantData = database.tenants.get(id)
    if (tenantData?.tenant.revision !== revision - 1) return 'stale'
    if (action === 'tenant.resume' && isListed(database, id)) return 'listed'
    const { suspension: suspended, ...before } = tenantData.tenant
    const isSuspendedAnew = suspension !== undefined && !isSame(suspension, suspended)
    if (needsTwoToResume(suspended) && (isSuspendedAnew || suspension === undefined))
      throw new Error(`the suspension of tenant ${id} ends with the approval of a second person`)
    const current = suspension && { suspension: isSuspendedAnew ? { ...suspension, at: by.at } : suspension }
    const changed = { legalName, technicalContact, status, pricing, dailyLimits, ...current }
    if (acting.token.role !== 'admin' && !hasSameTerms(before, changed)) return 'unauthorized'
    const entry = tenantChanged(action, tenantData.tenant, changed, acting.author, noteState(note))
    tenantData.tenant = { ...before, ...changed, revision }
    writeAudit(database, entry)
    return 'committed'
  },
  eraseContact: async (id, by) => {
    const acting = actingToken(database, by, by.at, ['admin'])
    if (!acting) return 'unauthorized'
    const tenantData = database.tenants.get(id)
    if (tenantData === undefined) return 'stale'
    const before = tenantData.tenant
    tenantData.tenant = { ...before, technicalContact: erasedContact, revision: before.revision + 1 }
    const entry = tenantChanged('tenant.erase_contact', before, tenantData.tenant, acting.author)
    writeAudit(database, { ...entry, before: { ...entry.before, ...noContact } })
    database.erasedContacts.set(id, database.audit.at(-1)?.id ?? 0n)
    return 'committed'
  },
})

const noContact = { contact_name: null, contact_email: null }

/** Sets the limits or prices of an approved proposal. */
export function changeTerms(
  database: Database,
  action: ActionOf<'change_limits' | 'change_pricing'>,
  author: AuditAuthor,
  proposalId: string,
): true {
  const tenantData = tenantDataOf(database, action.tenantId)
  const before = tenantData.tenant
  const changed = action.type === 'change_limits' ? action.limits : {}
  const { paymentCap, ...dailyLimits } = { ...limitsOf(before), ...changed }
  const prices = action.type === 'change_pricing' ? action.prices : {}
  const pricing = { ...before.pricing, ...prices, paymentCap }
  tenantData.tenant = { ...before, pricing, dailyLimits, revision: before.revision + 1 }
  writeAudit(database, tenantChanged('tenant.update', before, tenantData.tenant, author, { proposal_id: proposalId }))
  return true
}

/** Ends the suspension of an approved proposal. False when that one is over. */
export function resumeTenant(
  database: Database,
  { tenantId, suspendedAt }: ActionOf<'resume_tenant'>,
  author: AuditAuthor,
  proposalId: string,
): boolean {
  const tenantData = tenantDataOf(database, tenantId)
  const { suspension, ...rest } = tenantData.tenant
  if (suspension?.at.getTime() !== suspendedAt.getTime() || isListed(database, tenantId)) return false
  const resumed: Tenant = { ...rest, status: 'active', revision: rest.revision + 1 }
  writeAudit(database, tenantChanged('tenant.resume', tenantData.tenant, resumed, author, { proposal_id: proposalId }))
  tenantData.tenant = resumed
  return true
}

const isSame = (one: Suspension, other: Suspension | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

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
      lowBalanceThreshold: null,
      isLow: false,
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
