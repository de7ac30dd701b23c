import type { AuditAuthor, AuditEntry, AuditOrigin, AuditState } from '../audit/ports.ts'
import type { TenantAction } from './ports.ts'
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

/** The status that an action gives a tenant. */
export const statusAfter = { 'tenant.suspend': 'suspended', 'tenant.resume': 'active' } as const

const isSame = (one: AuditState, other: AuditState): boolean => JSON.stringify(one) === JSON.stringify(other)

const byProposal = (id: string | null) => id !== null && { proposal_id: id }

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
