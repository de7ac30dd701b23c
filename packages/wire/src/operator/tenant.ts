import { type Pricing, type Tenant, toDecimal } from '@quipu/core'
import { defaultPricing, type NewTenant } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { integer, matching, members, text, wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { pageOf } from '../list/list.ts'
import { bobAmount, positiveBob, readBob, readUsdt, usdtAmount, usdtOrZero } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'

const pricing = {
  margin_bps: integer(0, 5000)
    .meta({ description: 'Basis points off the bid.', examples: [150] })
    .optional(),
  fee_bps: integer(0, 5000)
    .meta({ description: 'Basis points of the principal.', examples: [50] })
    .optional(),
  fee_fixed: usdtOrZero.meta({ description: 'USDT on top of every payment.' }).optional(),
  payment_cap_bob: positiveBob
    .meta({ description: 'The largest single payout.', examples: ['50000.00'] })
    .optional(),
}
type PricingMembers = { [K in keyof typeof pricing]?: z.output<(typeof pricing)[K]> | undefined }

const readPricing = (request: PricingMembers): Partial<Pricing> => ({
  ...(request.margin_bps !== undefined && { marginBps: request.margin_bps }),
  ...(request.fee_bps !== undefined && { feeBps: request.fee_bps }),
  ...(request.fee_fixed !== undefined && { feeFixed: readUsdt(request.fee_fixed) }),
  ...(request.payment_cap_bob !== undefined && { paymentCap: readBob(request.payment_cap_bob) }),
})

const email = matching(
  /^[^\s@\u0000-\u001F\uD800-\uDFFF]{1,64}@[^\s@\u0000-\u001F\uD800-\uDFFF]{1,189}$/u,
  'must be an email address of at most 254 characters',
).meta({ examples: ['ops@example.com'] })

/** The body of `POST /operator/v1/tenants`. @source spec §1 Onboarding: legal name, contact, margin */
export const tenantRequest = members({
  legal_name: text(1, 200).meta({ examples: ['Ejemplo S.R.L.'] }),
  technical_contact: members({ name: text(1, 200).meta({ examples: ['Ana Quispe'] }), email }),
  ...pricing,
}).meta({ id: 'TenantRequest', description: `Pricing that is left out: ${standardPricing()}.` })

function standardPricing(): string {
  const { marginBps, feeBps, feeFixed, paymentCap } = defaultPricing
  const fee = `fee ${feeBps} bps and ${toDecimal(feeFixed)} USDT`
  return `margin ${marginBps} bps, ${fee}, cap ${toDecimal(paymentCap)} BOB`
}

/** Reads the body of `POST /operator/v1/tenants`. */
export const parseTenantRequest = (body: unknown): Parsed<NewTenant> =>
  mapParsed(parse(tenantRequest, body), (request) => ({
    legalName: request.legal_name,
    technicalContact: request.technical_contact,
    pricing: readPricing(request),
  }))

/** The body of `PATCH /operator/v1/tenants/{id}`. */
export const pricingPatch = members(pricing).meta({ id: 'PricingPatch', minProperties: 1 })

/** Reads the body of `PATCH /operator/v1/tenants/{id}`, which has at least one member. */
export function parsePricingPatch(body: unknown): Parsed<Partial<Pricing>> {
  const patch = mapParsed(parse(pricingPatch, body), readPricing)
  if (!patch.ok || Object.keys(patch.value).length > 0) return patch
  const message = `must have at least one of ${Object.keys(pricing).join(', ')}`
  return { ok: false, issues: [{ field: 'body', message }] }
}

export const tenant = z
  .object({
    id: idText('ten'),
    legal_name: z.string(),
    technical_contact: z.object({ name: z.string(), email: z.string() }),
    status: z.enum(wordsOf<Tenant['status']>({ active: true, suspended: true })),
    margin_bps: z.int(),
    fee_bps: z.int(),
    fee_fixed: usdtAmount,
    payment_cap_bob: bobAmount,
    created_at: time,
  })
  .meta({ id: 'Tenant' })
export type TenantJson = z.output<typeof tenant>

export const tenantToJson = ({ pricing, technicalContact, ...tenant }: Tenant): TenantJson => ({
  id: tenant.id,
  legal_name: tenant.legalName,
  technical_contact: { name: technicalContact.name, email: technicalContact.email },
  status: tenant.status,
  margin_bps: pricing.marginBps,
  fee_bps: pricing.feeBps,
  fee_fixed: toDecimal(pricing.feeFixed),
  payment_cap_bob: toDecimal(pricing.paymentCap),
  created_at: instantToJson(tenant.createdAt),
})

export const tenantPage = pageOf(tenant, 'TenantPage')
