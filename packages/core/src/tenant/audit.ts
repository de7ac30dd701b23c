import type { ApiKey } from './api-key.ts'
import type { AuditEntry, AuditState, AuditAuthor, TenantAction } from './ports.ts'
import type { Pricing, Tenant } from './tenant.ts'

/** The audit entry of a new tenant. */
export const tenantCreated = (tenant: Tenant, actor: string): AuditEntry => ({
  ...{ actor, action: 'tenant.create', tenantId: tenant.id, subject: tenant.id },
  ...{ at: tenant.createdAt, before: null },
  after: { legalName: tenant.legalName, ...changeable(tenant) },
})

/**
 * The audit entry of a tenant's next revision.
 *
 * @throws when the change is not the one that the action names
 */
export function tenantChanged(
  action: TenantAction,
  before: Tenant,
  after: Pick<Tenant, 'status' | 'pricing'>,
  { actor, at }: AuditAuthor,
): AuditEntry {
  const status = { 'tenant.update': before.status, ...statusAfter }[action]
  const isThisChange =
    after.status === status &&
    (action === 'tenant.update' ||
      isSame(pricingState(before.pricing), pricingState(after.pricing)))
  if (!isThisChange)
    throw new Error(`the action ${action} does not match the change of tenant ${before.id}`)
  return {
    ...{ actor, action, tenantId: before.id, subject: before.id, at },
    ...{ before: changeable(before), after: changeable(after) },
  }
}

const statusAfter = { 'tenant.suspend': 'suspended', 'tenant.resume': 'active' } as const

const isSame = (one: AuditState, other: AuditState): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The audit entry of a new key. */
export const keyIssued = (key: ApiKey, actor: string): AuditEntry => ({
  ...{ actor, action: 'api_key.issue', tenantId: key.tenantId, subject: key.id },
  ...{ at: key.createdAt, before: null },
  after: { name: key.name, scopes: key.scopes, expires_at: key.expiresAt?.toISOString() ?? null },
})

/** The audit entry of a revoked key. */
export const keyRevoked = (
  { id, tenantId }: Pick<ApiKey, 'id' | 'tenantId'>,
  { actor, at }: AuditAuthor,
): AuditEntry => ({
  ...{ actor, action: 'api_key.revoke', tenantId, subject: id, at },
  ...{ before: { revoked_at: null }, after: { revoked_at: at.toISOString() } },
})

const changeable = ({ status, pricing }: Pick<Tenant, 'status' | 'pricing'>): AuditState => ({
  status,
  ...pricingState(pricing),
})

const pricingState = (pricing: Pricing): Exclude<AuditState, null> => ({
  margin_bps: pricing.marginBps,
  fee_bps: pricing.feeBps,
  fee_fixed_minor: pricing.feeFixed.minor.toString(),
  payment_cap_bob_minor: pricing.paymentCap.minor.toString(),
})
