import type { TenantJson } from '@quipu/wire'
import { type Field, filledIn, type Values } from '../../ui/fields.tsx'
import { noteOf, optionalEvidenceFields, optionalReasonField } from '../../ui/note-fields.ts'
import { tenantTexts } from './tenant-texts.ts'

/** Name and contact. @param tenant  whose fields they are at first; left out: nobody's */
export const detailFields = (tenant?: TenantJson): readonly Field[] => [
  { name: 'legal_name', kind: 'text', label: tenantTexts.name, initial: tenant?.legal_name ?? '' },
  {
    name: 'technical_contact.name',
    kind: 'text',
    label: tenantTexts.contactName,
    initial: tenant?.technical_contact.name ?? '',
  },
  {
    name: 'technical_contact.email',
    kind: 'text',
    maxLength: 254,
    label: tenantTexts.contactEmail,
    initial: tenant?.technical_contact.email ?? '',
  },
]

export const detailsOf = (values: Values): object => ({
  legal_name: values['legal_name'],
  technical_contact: { name: values['technical_contact.name'], email: values['technical_contact.email'] },
})

export const pricingFields = (tenant: TenantJson): readonly Field[] => [
  { name: 'margin_bps', kind: 'count', label: tenantTexts.margin, initial: String(tenant.margin_bps) },
  { name: 'fee_bps', kind: 'count', label: tenantTexts.fee, initial: String(tenant.fee_bps) },
  { name: 'fee_fixed', kind: 'amount', label: tenantTexts.feeFixed, initial: tenant.fee_fixed },
  optionalReasonField,
  ...optionalEvidenceFields,
]

/** The prices that differ from those of the tenant, so that the approver sees these alone. */
export function pricingOf(tenant: TenantJson, values: Values): object {
  const [margin, bps] = [countOf(values['margin_bps']), countOf(values['fee_bps'])]
  const fixed = values['fee_fixed']
  return {
    ...(margin !== tenant.margin_bps && { margin_bps: margin }),
    ...(bps !== tenant.fee_bps && { fee_bps: bps }),
    ...(fixed !== tenant.fee_fixed && { fee_fixed: fixed }),
    ...noteOf(values),
  }
}

export const limitFields = (tenant: TenantJson): readonly Field[] => [
  { name: 'payment_cap_bob', kind: 'amount', label: tenantTexts.cap, initial: tenant.payment_cap_bob },
  {
    name: 'daily_limit_usdt',
    kind: 'amount',
    label: tenantTexts.dailyAmount,
    initial: tenant.daily_limit_usdt ?? '',
    isOptional: true,
  },
  {
    name: 'daily_limit_count',
    kind: 'count',
    label: tenantTexts.dailyCount,
    initial: tenant.daily_limit_count === null ? '' : String(tenant.daily_limit_count),
    isOptional: true,
  },
  optionalReasonField,
  ...optionalEvidenceFields,
]

/** The limits that differ from those of the tenant: only these need an approval. */
export function limitsOf(tenant: TenantJson, values: Values): object {
  const filled = filledIn(values, ['payment_cap_bob', 'daily_limit_usdt', 'daily_limit_count'])
  const cap = filled['payment_cap_bob']
  const amount = filled['daily_limit_usdt'] ?? null
  const count = filled['daily_limit_count']
  const countLimit = count === undefined ? null : countOf(count)
  return {
    ...(cap !== undefined && cap !== tenant.payment_cap_bob && { payment_cap_bob: cap }),
    ...(amount !== tenant.daily_limit_usdt && { daily_limit_usdt: amount }),
    ...(countLimit !== tenant.daily_limit_count && { daily_limit_count: countLimit }),
    ...noteOf(values),
  }
}

/** A whole number; the API names what is wrong with any other text. */
const countOf = (text = ''): number | string => (/^[0-9]{1,15}$/.test(text) ? Number(text) : text)
