import { type Ids } from '../ids.ts'
import { authorized, type Operator } from '../access/operator.ts'
import { type OperatorRequest, repeatedSubject } from '../access/operator-request.ts'
import type { OpenProposal, ProposalNote } from '../proposal/proposal.ts'
import { defaultProposalSettings, newProposal, type ProposalSettings } from '../proposal/proposal-settings.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import type { Clock } from '../time.ts'
import { type DailyLimits, noDailyLimits, noDailyUse } from '../limit/daily-limits.ts'
import {
  defaultUnapprovedLimits,
  limitsOf,
  needsTwoToRaise,
  raisedLimits,
  type UnapprovedLimits,
} from '../limit/limits.ts'
import { Unavailable } from '../unavailable.ts'
import type { Screen } from '../screening/screen.ts'
import { tenantSubject } from '../screening/screening.ts'
import type { TenantRecord, TenantStore } from './ports.ts'
import type { ChangeLimits, ChangePricing, Prices, ResumeTenant } from '../proposal/action.ts'
import { needsTwoToResume, type SuspensionRequest } from './suspension.ts'
import { defaultPricing, type Pricing, type Tenant } from './tenant.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'
import { untilCommitted } from '../until-committed.ts'

/** The members of a new tenant that an operator chooses; `defaultPricing` and `noDailyLimits` fill in the rest. */
export type NewTenant = Pick<Tenant, 'legalName' | 'technicalContact'> & TenantTerms

/** The members of a tenant that an operator changes; the others stay. */
export type TenantChange = Partial<Pick<Tenant, 'legalName' | 'technicalContact'>> & TenantTerms

/** The prices of a tenant, and how much it may pay out. */
export type TenantTerms = { readonly pricing?: Partial<Pricing>; readonly dailyLimits?: Partial<DailyLimits> }

/** The tenant as it now stands, the proposal to change its limits or prices or to resume it, or why nothing was written. */
export type ChangeTenantAnswer =
  | { readonly type: 'tenant'; readonly tenant: TenantRecord }
  | { readonly type: 'proposal'; readonly proposal: OpenProposal }
  | {
      readonly type: 'refused'
      readonly code:
        | 'not_found'
        /** A second person has to approve the change, and `note` is missing. */
        | 'needs_note'
        /** A second person has to approve the limits or the prices, and the change has other members too. */
        | 'needs_own_request'
        /** Screening has found the tenant, and two people have not cleared its case. */
        | 'listed'
    }

/**
 * An operator's actions on tenants; the audit log records each. Undefined when the tenant does not exist. Every method
 * throws `Unauthorized` without the active token of an operator, or of an admin where a price or a limit changes.
 */
export type ManageTenants = {
  create(operator: Operator, input: NewTenant): Promise<TenantRecord>
  /** Creates a tenant, or finds the one that the same request of the same person created. */
  createOnce(operator: Operator, input: NewTenant, request: OperatorRequest): Promise<CreateTenantAnswer>
  /**
   * Changes a tenant. Limits above `unapprovedLimits`, and with any such limits every price, need the approval of another
   * admin: the answer is a proposal.
   */
  change(operator: Operator, id: string, change: TenantChange, note?: ProposalNote): Promise<ChangeTenantAnswer>
  /**
   * Suspends the tenant: its keys stop working within `keyCacheSeconds`; payouts in `processing` are still settled. A
   * suspension that two people end stays as it is.
   */
  suspend(operator: Operator, id: string, request: SuspensionRequest): Promise<TenantRecord | undefined>
  /** Ends a suspension, or proposes to where its cause needs two people. `listed`: screening has found the tenant. */
  resume(operator: Operator, id: string, note: ProposalNote): Promise<ChangeTenantAnswer>
}

/** The tenant as it now stands. `key_reused`: another request of the person had the same key; nothing was written. */
export type CreateTenantAnswer =
  | { readonly type: 'tenant'; readonly tenant: TenantRecord; readonly replayed: boolean }
  | { readonly type: 'refused'; readonly code: 'key_reused' }

/** The ports of `manageTenants`. */
export type ManageTenantsPorts = {
  readonly tenants: TenantStore
  readonly proposals: Pick<ProposalStore, 'insert'>
  /** Screens tenants; nobody does when it is left out. */
  readonly screen?: Screen
  readonly ids: Ids
  readonly now: Clock
}

/** Which changes need a second person, and until when that person may approve. */
export type ManageTenantsSettings = Pick<ProposalSettings, 'approvableSeconds'> & {
  /** Null: one admin alone raises every limit and changes every price. */
  readonly unapprovedLimits: UnapprovedLimits | null
  /** The margin of a tenant that is created without one. Default: that of `defaultPricing`. */
  readonly defaultMarginBps?: number
}

const manageTenantsSettingsShape: SettingsShape<ManageTenantsSettings> = {
  approvableSeconds: 'positive',
  unapprovedLimits: 'value',
}

const defaultSettings: ManageTenantsSettings = { ...defaultProposalSettings, unapprovedLimits: defaultUnapprovedLimits }

/**
 * Creates and changes tenants. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
 * const input = { legalName: 'Pagos del Sur S.R.L.', technicalContact, pricing: { marginBps: 150 } }
 * const created = await manageTenants(ports).create(ana, input)
 * console.log(created.status, created.pricing.marginBps, created.pricing.feeBps) // active 150 0
 * ```
 */
export function manageTenants(
  ports: ManageTenantsPorts,
  settings: ManageTenantsSettings = defaultSettings,
): ManageTenants {
  checkSettings('manageTenants', settings, manageTenantsSettingsShape)
  return {
    async create(operator, input) {
      const tenant = newTenant(ports, settings, input)
      const walletId = ports.ids.next('wal', tenant.createdAt)
      authorized(await ports.tenants.create(tenant, walletId, operator))
      return screenedNew(ports, operator, { ...tenant, usedToday: noDailyUse })
    },
    async createOnce(operator, input, request) {
      const tenant = newTenant(ports, settings, input)
      const walletId = ports.ids.next('wal', tenant.createdAt)
      const created = authorized(await ports.tenants.create(tenant, walletId, operator, request))
      const stored =
        created === 'committed'
          ? { ...tenant, usedToday: noDailyUse }
          : await ports.tenants.find(repeatedSubject(created, request) ?? '')
      if (!stored) return { type: 'refused', code: 'key_reused' }
      return { type: 'tenant', tenant: await screenedNew(ports, operator, stored), replayed: created !== 'committed' }
    },
    change: (operator, id, change, note) =>
      untilCommitted(async () => {
        const before = await ports.tenants.find(id)
        if (!before) return refused('not_found')
        const after = changed(before, change)
        const action = actionOfTwo(settings, before, after, change)
        if (action === 'needs_own_request') return refused(action)
        if (action !== null) return propose(ports, settings, operator, action, note)
        if (namesOf(after) !== namesOf(before)) await requireAnswer(ports, after)
        const by = { ...operator, at: ports.now() }
        const result = authorized(await ports.tenants.update(after, 'tenant.update', by, note))
        return result === 'committed' ? { type: 'tenant', tenant: after } : 'stale'
      }),
    suspend: (operator, id, request) => suspend(ports, operator, id, request),
    resume: (operator, id, note) =>
      untilCommitted(async () => {
        const before = await ports.tenants.find(id)
        if (!before) return refused('not_found')
        await requireAnswer(ports, before)
        const { suspension, ...rest } = before
        if (suspension && needsTwoToResume(suspension)) {
          const action = { type: 'resume_tenant', tenantId: id, suspendedAt: suspension.at } as const
          return propose(ports, settings, operator, action, note)
        }
        const after: TenantRecord = { ...rest, status: 'active', revision: before.revision + 1 }
        const result = await ports.tenants.update(after, 'tenant.resume', { ...operator, at: ports.now() }, note)
        if (result === 'listed') return refused(result)
        return authorized(result) === 'committed' ? { type: 'tenant', tenant: after } : 'stale'
      }),
  }
}

const namesOf = (tenant: TenantRecord): string => JSON.stringify(tenantSubject(tenant).texts)

const screenTenant = async ({ screen }: Pick<ManageTenantsPorts, 'screen'>, tenant: Tenant) =>
  screen?.(tenantSubject(tenant), { tenantId: tenant.id, reference: tenant.id })

/** Screens it, and so opens a case, which suspends it, when it is listed. @throws Unavailable when nothing answers */
async function requireAnswer(ports: ManageTenantsPorts, tenant: Tenant): Promise<void> {
  const screened = await screenTenant(ports, tenant)
  if (screened?.outcome === 'unanswered') throw new Unavailable('screening', screened.problem)
}

/** The new tenant as screening leaves it: suspended when it is listed, and until `resume` gets an answer about it. */
async function screenedNew(ports: ManageTenantsPorts, operator: Operator, tenant: TenantRecord): Promise<TenantRecord> {
  if (tenant.revision > 1) return tenant
  const screened = await screenTenant(ports, tenant)
  if (screened === undefined || screened.outcome === 'clear') return tenant
  const { id } = tenant
  if (screened.outcome === 'unanswered') {
    const request = { cause: 'other', reason: `screening: ${screened.problem}`.slice(0, 500), evidence: null } as const
    return (await suspend(ports, operator, id, request)) ?? tenant
  }
  return (await ports.tenants.find(id)) ?? tenant
}

const refused = (code: Extract<ChangeTenantAnswer, { type: 'refused' }>['code']): ChangeTenantAnswer => ({
  type: 'refused',
  code,
})

const changed = (tenant: TenantRecord, { pricing, dailyLimits, ...identity }: TenantChange): TenantRecord => ({
  ...tenant,
  ...identity,
  pricing: { ...tenant.pricing, ...pricing },
  dailyLimits: { ...tenant.dailyLimits, ...dailyLimits },
  revision: tenant.revision + 1,
})

/** The action for which the change needs a second person; null when one suffices. */
function actionOfTwo(
  { unapprovedLimits }: ManageTenantsSettings,
  before: Tenant,
  after: Tenant,
  { pricing: { paymentCap, ...prices } = {}, dailyLimits, ...identity }: TenantChange,
): ChangeLimits | ChangePricing | 'needs_own_request' | null {
  if (unapprovedLimits === null) return null
  const limits = { ...(paymentCap && { paymentCap }), ...dailyLimits }
  const isRaised = needsTwoToRaise(raisedLimits(limitsOf(before), limitsOf(after)), unapprovedLimits)
  const isPriced = !isSamePrice(before.pricing, after.pricing)
  if (!isRaised && !isPriced) return null
  const others = { ...identity, ...(isRaised ? prices : limits) }
  if (Object.keys(others).length > 0) return 'needs_own_request'
  const tenantId = before.id
  if (isRaised) return { type: 'change_limits', tenantId, limits }
  return { type: 'change_pricing', tenantId, prices }
}

const isSamePrice = (one: Prices, other: Prices): boolean =>
  one.marginBps === other.marginBps && one.feeBps === other.feeBps && one.feeFixed.minor === other.feeFixed.minor

async function propose(
  { proposals, ids, now }: ManageTenantsPorts,
  settings: ManageTenantsSettings,
  operator: Operator,
  action: ChangeLimits | ChangePricing | ResumeTenant,
  note: ProposalNote | undefined,
): Promise<ChangeTenantAnswer> {
  if (!note) return refused('needs_note')
  const proposal = newProposal(ids, settings, operator, now(), { tenantId: action.tenantId, action, ...note })
  authorized(await proposals.insert(proposal, operator))
  return { type: 'proposal', proposal }
}

function newTenant(
  { ids, now }: ManageTenantsPorts,
  { defaultMarginBps: marginBps = defaultPricing.marginBps }: ManageTenantsSettings,
  { legalName, technicalContact, pricing, dailyLimits }: NewTenant,
): Tenant {
  const createdAt = now()
  return {
    id: ids.next('ten', createdAt),
    legalName,
    technicalContact,
    status: 'active',
    pricing: { ...defaultPricing, marginBps, ...pricing },
    dailyLimits: { ...noDailyLimits, ...dailyLimits },
    createdAt,
    revision: 1,
  }
}

async function suspend(
  { tenants, now }: ManageTenantsPorts,
  operator: Operator,
  id: string,
  request: SuspensionRequest,
): Promise<TenantRecord | undefined> {
  return untilCommitted(async () => {
    const before = await tenants.find(id)
    if (!before || needsTwoToResume(before.suspension)) return before
    const at = now()
    const revision = before.revision + 1
    const after: TenantRecord = { ...before, status: 'suspended', suspension: { ...request, at }, revision }
    const result = authorized(await tenants.update(after, 'tenant.suspend', { ...operator, at }))
    return result === 'committed' ? after : 'stale'
  })
}
