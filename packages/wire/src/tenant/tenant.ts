import { type Pricing, type Tenant, toDecimal } from '@quipu/core'
import {
  type DailyLimits,
  defaultPricing,
  earnsNothing,
  type NewTenant,
  type ProposalNote,
  suspensionCauses,
  type SuspensionRequest,
  type TenantChange,
  type TenantQuery,
  type TenantRecord,
  type TenantTerms,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { integer, matching, members, nameText, oneOf, queryMembers, text, unseen, wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import { dailyUse, dailyUseToJson } from '../ledger/wallet.ts'
import { bobAmount, positiveBob, positiveUsdt, readBob, readUsdt, usdtAmount, usdtOrZero } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { noteMembers, optionalNote, readOptionalNote } from '../json/note.ts'

const terms = {
  margin_bps: integer(0, 5000)
    .meta({ description: 'Basis points off the bid.', examples: [150] })
    .optional(),
  fee_bps: integer(0, 5000)
    .meta({ description: 'Basis points of the principal.', examples: [50] })
    .optional(),
  fee_fixed: usdtOrZero.meta({ description: 'USDT on top of every payment.' }).optional(),
  payment_cap_bob: positiveBob.meta({ description: 'The largest single payout.', examples: ['50000.00'] }).optional(),
  daily_limit_usdt: positiveUsdt
    .nullable()
    .meta({
      description: 'The most that payouts may debit from midnight to midnight UTC; null: no limit.',
      examples: ['10000.000000'],
    })
    .optional(),
  daily_limit_count: integer(1, 1_000_000_000)
    .nullable()
    .meta({ description: 'The most payouts from midnight to midnight UTC; null: no limit.', examples: [500] })
    .optional(),
}
type TermMembers = { [K in keyof typeof terms]?: z.output<(typeof terms)[K]> | undefined }

const readPricing = (request: TermMembers): Partial<Pricing> => ({
  ...(request.margin_bps !== undefined && { marginBps: request.margin_bps }),
  ...(request.fee_bps !== undefined && { feeBps: request.fee_bps }),
  ...(request.fee_fixed !== undefined && { feeFixed: readUsdt(request.fee_fixed) }),
  ...(request.payment_cap_bob !== undefined && { paymentCap: readBob(request.payment_cap_bob) }),
})

const readDailyLimits = (request: TermMembers): Partial<DailyLimits> => ({
  ...(request.daily_limit_usdt !== undefined && {
    amount: request.daily_limit_usdt === null ? null : readUsdt(request.daily_limit_usdt),
  }),
  ...(request.daily_limit_count !== undefined && { count: request.daily_limit_count }),
})

/** Leaves out what the request leaves out. */
function readTerms(request: TermMembers): TenantTerms {
  const pricing = readPricing(request)
  const dailyLimits = readDailyLimits(request)
  return {
    ...(Object.keys(pricing).length > 0 && { pricing }),
    ...(Object.keys(dailyLimits).length > 0 && { dailyLimits }),
  }
}

const inEmail = String.raw`[^\s@<>()\[\]\\,;:"${unseen}\uD800-\uDFFF]`

const email = matching(
  new RegExp(`^${inEmail}{1,64}@${inEmail}{1,189}$`, 'u'),
  'must be an email address of at most 254 characters',
).meta({ examples: ['ops@example.com'] })

const identity = {
  legal_name: nameText(200).meta({ examples: ['Ejemplo S.R.L.'] }),
  technical_contact: members({ name: nameText(200).meta({ examples: ['Ana Quispe'] }), email }),
}

/** The body of `POST /operator/v1/tenants`. @source spec §1 Onboarding: legal name, contact, margin */
export const tenantRequest = members({ ...identity, ...terms }).meta({
  id: 'TenantRequest',
  description: `What is left out: ${standardPricing()}, and no daily limits.`,
})

function standardPricing(): string {
  const { feeBps, feeFixed, paymentCap } = defaultPricing
  const fee = `fee ${feeBps} bps and ${toDecimal(feeFixed)} USDT`
  return `margin \`DEFAULT_MARGIN_BPS\`, ${fee}, cap ${toDecimal(paymentCap)} BOB`
}

/** Reads the body of `POST /operator/v1/tenants`. */
export const parseTenantRequest = (body: unknown): Parsed<NewTenant> =>
  mapParsed(parse(tenantRequest, body), (request) => ({
    legalName: request.legal_name,
    technicalContact: request.technical_contact,
    ...readTerms(request),
  }))

const changeable = {
  legal_name: identity.legal_name.optional(),
  technical_contact: identity.technical_contact.optional(),
  ...terms,
}

export const tenantPatch = members({ ...changeable, ...optionalNote }).meta({ id: 'TenantPatch', minProperties: 1 })

/** A change of a tenant, and why, if the request says it. */
export type TenantPatch = { readonly change: TenantChange; readonly note: ProposalNote | undefined }

/** Reads the body of `PATCH /operator/v1/tenants/{id}`, which changes at least one member. */
export function parseTenantPatch(body: unknown): Parsed<TenantPatch> {
  const patch = mapParsed(parse(tenantPatch, body), (request) => ({
    change: {
      ...(request.legal_name !== undefined && { legalName: request.legal_name }),
      ...(request.technical_contact && { technicalContact: request.technical_contact }),
      ...readTerms(request),
    },
    note: readOptionalNote(request),
  }))
  if (!patch.ok || Object.keys(patch.value.change).length > 0) return patch
  const message = `must have at least one of ${Object.keys(changeable).join(', ')}`
  return { ok: false, issues: [{ field: 'body', message }] }
}

export const suspensionRequest = members({
  cause: oneOf(suspensionCauses)
    .meta({
      description:
        'A suspension for `court_order`, `fraud` or `sanctions` ends only when a second person approves it. Default: `other`.',
    })
    .optional(),
  ...noteMembers,
}).meta({ id: 'SuspensionRequest' })

/** Reads the body of `POST /operator/v1/tenants/{id}/suspend`. */
export const parseSuspension = (body: unknown): Parsed<SuspensionRequest> =>
  mapParsed(parse(suspensionRequest, body), ({ cause = 'other', reason, evidence = null }) => ({
    cause,
    reason,
    evidence,
  }))

/** The body of `POST /operator/v1/tenants/{id}/resume`. */
export const resumptionRequest = members(noteMembers).meta({ id: 'ResumptionRequest' })

/** Reads a reason with its evidence. */
export const parseResumption = (body: unknown): Parsed<ProposalNote> =>
  mapParsed(parse(resumptionRequest, body), ({ reason, evidence = null }) => ({ reason, evidence }))

export const tenant = z
  .object({
    id: idText('ten'),
    legal_name: z.string(),
    technical_contact: z.object({ name: z.string(), email: z.string() }),
    status: z.enum(wordsOf<Tenant['status']>({ active: true, suspended: true })),
    suspension: z
      .object({
        cause: z.enum(suspensionCauses),
        reason: z.string(),
        evidence: z.object({ note: z.string(), digest: z.string() }).nullable(),
        at: time,
      })
      .nullable()
      .meta({ description: 'Null while the tenant is active. Only operators read it.' }),
    margin_bps: z.int(),
    fee_bps: z.int(),
    fee_fixed: usdtAmount,
    earns_nothing: z.boolean().meta({ description: 'Whether margin and fees are all zero.' }),
    payment_cap_bob: bobAmount,
    daily_limit_usdt: usdtAmount.nullable(),
    daily_limit_count: z.int().nullable(),
    used_today: dailyUse,
    created_at: time,
  })
  .meta({ id: 'Tenant' })
export type TenantJson = z.output<typeof tenant>

export const tenantToJson = ({ pricing, dailyLimits, technicalContact, ...tenant }: TenantRecord): TenantJson => ({
  id: tenant.id,
  legal_name: tenant.legalName,
  technical_contact: { name: technicalContact.name, email: technicalContact.email },
  status: tenant.status,
  suspension: tenant.suspension
    ? {
        cause: tenant.suspension.cause,
        reason: tenant.suspension.reason,
        evidence: tenant.suspension.evidence && { ...tenant.suspension.evidence },
        at: instantToJson(tenant.suspension.at),
      }
    : null,
  margin_bps: pricing.marginBps,
  fee_bps: pricing.feeBps,
  fee_fixed: toDecimal(pricing.feeFixed),
  earns_nothing: earnsNothing(pricing),
  payment_cap_bob: toDecimal(pricing.paymentCap),
  daily_limit_usdt: dailyLimits.amount && toDecimal(dailyLimits.amount),
  daily_limit_count: dailyLimits.count,
  used_today: dailyUseToJson(tenant.usedToday),
  created_at: instantToJson(tenant.createdAt),
})

export const tenantListQuery = queryMembers({
  text: text(1, 200)
    .optional()
    .meta({
      description: 'A part of the name, or of the technical contact’s name or e-mail, whatever its case and accents.',
      examples: ['panaderia'],
    }),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/tenants`. */
export const parseTenantList = (search: URLSearchParams | string): Parsed<ListRequest<TenantQuery>> =>
  parseList(tenantListQuery, ['tenants', 'operator'], search)

export const tenantPage = pageOf(tenant, 'TenantPage')
