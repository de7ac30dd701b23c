import type { Ids } from '../ids.ts'
import { type OperatorRequest, repeatedSubject } from '../operator-request/operator-request.ts'
import type { Clock } from '../time.ts'
import { type DailyLimits, noDailyLimits, noDailyUse } from './daily-limits.ts'
import type { TenantAction, TenantRecord, TenantStore } from './ports.ts'
import type { Pricing, Tenant } from './tenant.ts'

/** The members of a new tenant that an operator chooses; `defaultPricing` and `noDailyLimits` fill in the rest. */
export type NewTenant = Pick<Tenant, 'legalName' | 'technicalContact'> & TenantTerms

/** The members of a tenant that an operator changes; the others stay. */
export type TenantChange = Partial<Pick<Tenant, 'legalName' | 'technicalContact'>> & TenantTerms

/** What a tenant pays, and how much it may pay out. */
export type TenantTerms = {
  readonly pricing?: Partial<Pricing>
  readonly dailyLimits?: Partial<DailyLimits>
}

/** An operator's actions on tenants; the audit log records each. Undefined when the tenant does not exist. */
export type ManageTenants = {
  create(actor: string, input: NewTenant): Promise<TenantRecord>
  /** Creates a tenant, or finds the one that the same request of the same actor created. */
  createOnce(actor: string, input: NewTenant, request: OperatorRequest): Promise<CreateTenantAnswer>
  change(actor: string, id: string, change: TenantChange): Promise<TenantRecord | undefined>
  /** Suspends the tenant: its keys stop working within `keyCacheSeconds`; payouts in `processing` are still settled. */
  suspend(actor: string, id: string): Promise<TenantRecord | undefined>
  resume(actor: string, id: string): Promise<TenantRecord | undefined>
}

/** The tenant as it now stands. `key_reused`: another request of the actor had the same key; nothing was written. */
export type CreateTenantAnswer =
  | { readonly type: 'tenant'; readonly tenant: TenantRecord; readonly replayed: boolean }
  | { readonly type: 'refused'; readonly code: 'key_reused' }

/** The ports of `manageTenants`. */
export type ManageTenantsPorts = {
  readonly tenants: TenantStore
  readonly ids: Ids
  readonly now: Clock
}

/** No margin and no fees; a cap of 50,000.00 BOB. @source assumed */
export const defaultPricing: Pricing = {
  marginBps: 0,
  feeBps: 0,
  feeFixed: { currency: 'USDT', minor: 0n },
  paymentCap: { currency: 'BOB', minor: 50_000_00n },
}

/**
 * Creates and changes tenants. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
 * const input = { legalName: 'Pagos del Sur S.R.L.', technicalContact, pricing: { marginBps: 150 } }
 * const created = await manageTenants(ports).create('ana', input)
 * console.log(created.status, created.pricing.marginBps, created.pricing.feeBps) // active 150 0
 * ```
 */
export const manageTenants = (ports: ManageTenantsPorts): ManageTenants => ({
  async create(actor, input) {
    const tenant = newTenant(ports, input)
    await ports.tenants.create(tenant, ports.ids.next('wal', tenant.createdAt), actor)
    return { ...tenant, usedToday: noDailyUse }
  },
  async createOnce(actor, input, request) {
    const tenant = newTenant(ports, input)
    const walletId = ports.ids.next('wal', tenant.createdAt)
    const created = await ports.tenants.create(tenant, walletId, actor, request)
    if (created === 'committed')
      return { type: 'tenant', tenant: { ...tenant, usedToday: noDailyUse }, replayed: false }
    const stored = await ports.tenants.find(repeatedSubject(created, request) ?? '')
    return stored
      ? { type: 'tenant', tenant: stored, replayed: true }
      : { type: 'refused', code: 'key_reused' }
  },
  change: (actor, id, { pricing, dailyLimits, ...identity }) =>
    change(ports, actor, 'tenant.update', id, (tenant) => ({
      ...tenant,
      ...identity,
      pricing: { ...tenant.pricing, ...pricing },
      dailyLimits: { ...tenant.dailyLimits, ...dailyLimits },
    })),
  suspend: (actor, id) =>
    change(ports, actor, 'tenant.suspend', id, (tenant) => ({ ...tenant, status: 'suspended' })),
  resume: (actor, id) =>
    change(ports, actor, 'tenant.resume', id, (tenant) => ({ ...tenant, status: 'active' })),
})

function newTenant(
  { ids, now }: ManageTenantsPorts,
  { legalName, technicalContact, pricing, dailyLimits }: NewTenant,
): Tenant {
  const createdAt = now()
  return {
    id: ids.next('ten', createdAt),
    legalName,
    technicalContact,
    status: 'active',
    pricing: { ...defaultPricing, ...pricing },
    dailyLimits: { ...noDailyLimits, ...dailyLimits },
    createdAt,
    revision: 1,
  }
}

async function change(
  { tenants, now }: ManageTenantsPorts,
  actor: string,
  action: TenantAction,
  id: string,
  apply: (tenant: TenantRecord) => TenantRecord,
): Promise<TenantRecord | undefined> {
  for (;;) {
    const before = await tenants.find(id)
    if (!before) return undefined
    const after = { ...apply(before), revision: before.revision + 1 }
    if ((await tenants.update(after, action, { actor, at: now() })) === 'committed') return after
  }
}
