import type { AuditAuthor, AuditEntry, AuditOrigin, AuditState } from '../audit/ports.ts'
import type { TenantAction } from './ports.ts'
import { suspensionState } from './suspension.ts'
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
 * @param more  the id of the proposal that it needed, and its reason
 * @throws when the change is not the one that the action names
 */
export function tenantChanged(
  action: TenantAction,
  before: Tenant,
  after: Changeable,
  author: AuditAuthor,
  more: { readonly proposal_id?: string; readonly reason?: string; readonly evidence_digest?: string } = {},
): AuditEntry {
  const status = { 'tenant.update': before.status, 'tenant.erase_contact': before.status, ...statusAfter }[action]
  const isThisChange =
    after.status === status &&
    (action === 'tenant.update' || action === 'tenant.erase_contact'
      ? isSame(suspensionState(before.suspension), suspensionState(after.suspension))
      : isSame(unsuspended(before), unsuspended(after)))
  if (!isThisChange) throw new Error(`the action ${action} does not match the change of tenant ${before.id}`)
  return {
    ...author,
    action,
    tenantId: before.id,
    subject: before.id,
    before: changeable(before),
    after: { ...changeable(after), ...more },
  }
}

/** The status that an action gives a tenant. */
const statusAfter = { 'tenant.suspend': 'suspended', 'tenant.resume': 'active' } as const

const isSame = (one: AuditState, other: AuditState): boolean => JSON.stringify(one) === JSON.stringify(other)

type Changeable = Omit<Tenant, 'id' | 'createdAt' | 'revision'>

/** The members that neither a suspension nor its end changes. */
const unsuspended = (of: Changeable): AuditState => terms({ ...of, status: 'active' })

const changeable = (of: Changeable): AuditState => ({ ...terms(of), ...suspensionState(of.suspension) })

function terms(of: Omit<Changeable, 'suspension'>): AuditState {
  const { status, legalName, technicalContact, pricing, dailyLimits, ...others } = of
  others satisfies Readonly<Record<string, never>>
  return {
    status,
    legal_name: legalName,
    contact_name: technicalContact.name,
    contact_email: technicalContact.email,
    margin_bps: pricing.marginBps,
    fee_bps: pricing.feeBps,
    fee_fixed_minor: pricing.feeFixed.minor.toString(),
    payment_cap_bob_minor: pricing.paymentCap.minor.toString(),
    daily_limit_usdt_minor: dailyLimits.amount?.minor.toString() ?? null,
    daily_limit_count: dailyLimits.count,
  }
}
