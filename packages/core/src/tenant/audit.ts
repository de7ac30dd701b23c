import type { ApiKey } from './api-key.ts'
import type { AuditAuthor, AuditEntry, AuditOrigin, AuditState, TenantAction } from './ports.ts'
import type { Tenant } from './tenant.ts'

/** The audit entry of a new tenant. */
export const tenantCreated = (tenant: Tenant, origin: AuditOrigin): AuditEntry => ({
  ...origin,
  action: 'tenant.create',
  tenantId: tenant.id,
  subject: tenant.id,
  at: tenant.createdAt,
  before: null,
  after: changeable(tenant),
})

/**
 * The audit entry of a tenant's next revision.
 *
 * @param proposalId  of the proposal that it needed; null when it needed none
 * @throws when the change is not the one that the action names
 */
export function tenantChanged(
  action: TenantAction,
  before: Tenant,
  after: Changeable,
  author: AuditAuthor,
  proposalId: string | null = null,
): AuditEntry {
  const status = { 'tenant.update': before.status, ...statusAfter }[action]
  const isThisChange =
    after.status === status &&
    (action === 'tenant.update' || isSame(changeable({ ...before, status }), changeable({ ...after, status })))
  if (!isThisChange) throw new Error(`the action ${action} does not match the change of tenant ${before.id}`)
  return {
    ...author,
    action,
    tenantId: before.id,
    subject: before.id,
    before: changeable(before),
    after: { ...changeable(after), ...byProposal(proposalId) },
  }
}

const statusAfter = { 'tenant.suspend': 'suspended', 'tenant.resume': 'active' } as const

const isSame = (one: AuditState, other: AuditState): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * The audit entry of a key that becomes active.
 *
 * @param proposalId  of the proposal that it needed; null when it needed none
 */
export const keyIssued = (key: ApiKey, author: AuditAuthor, proposalId: string | null): AuditEntry => ({
  ...author,
  action: 'api_key.issue',
  tenantId: key.tenantId,
  subject: key.id,
  before: null,
  after: {
    name: key.name,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
    ...(key.replaces && { replaces: key.replaces.keyId, overlap_hours: key.replaces.overlapHours }),
    ...(key.allowedAddresses && { allowed_addresses: key.allowedAddresses }),
    ...byProposal(proposalId),
  },
})

/** The audit entry of a key that the key `by` replaces. */
export const keyRotated = (
  { id, tenantId, expiresAt }: Pick<ApiKey, 'id' | 'tenantId' | 'expiresAt'>,
  by: { readonly id: string; readonly replacedExpiresAt: Date },
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'api_key.rotate',
  tenantId,
  subject: id,
  before: { expires_at: expiresAt?.toISOString() ?? null },
  after: { expires_at: by.replacedExpiresAt.toISOString(), replaced_by: by.id },
})

/** The audit entry of new allowed addresses of a key. */
export const keyAddressesSet = (
  { id, tenantId, allowedAddresses }: Pick<ApiKey, 'id' | 'tenantId' | 'allowedAddresses'>,
  addresses: readonly string[] | null,
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'api_key.set_addresses',
  tenantId,
  subject: id,
  before: { allowed_addresses: allowedAddresses },
  after: { allowed_addresses: addresses },
})

const byProposal = (id: string | null) => id !== null && { proposal_id: id }

/** The audit entry of a revoked key. */
export const keyRevoked = ({ id, tenantId }: Pick<ApiKey, 'id' | 'tenantId'>, author: AuditAuthor): AuditEntry => ({
  ...author,
  action: 'api_key.revoke',
  tenantId,
  subject: id,
  before: { revoked_at: null },
  after: { revoked_at: author.at.toISOString() },
})

type Changeable = Omit<Tenant, 'id' | 'createdAt' | 'revision'>

const changeable = ({ status, pricing, dailyLimits, ...identity }: Changeable): AuditState => ({
  status,
  legal_name: identity.legalName,
  contact_name: identity.technicalContact.name,
  contact_email: identity.technicalContact.email,
  margin_bps: pricing.marginBps,
  fee_bps: pricing.feeBps,
  fee_fixed_minor: pricing.feeFixed.minor.toString(),
  payment_cap_bob_minor: pricing.paymentCap.minor.toString(),
  daily_limit_usdt_minor: dailyLimits.amount?.minor.toString() ?? null,
  daily_limit_count: dailyLimits.count,
})
