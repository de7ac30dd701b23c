import { keyCacheSeconds } from '@quipu/core'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { repeatableHeaders, repeatableText } from '../json/repeatable.ts'
import {
  parseResumption,
  parseSuspension,
  parseTenantList,
  parseTenantPatch,
  parseTenantRequest,
  resumptionRequest,
  suspensionRequest,
  tenant,
  tenantListQuery,
  tenantPage,
  tenantPatch,
  tenantRequest,
  tenantToJson,
} from './tenant.ts'
import * as example from '../openapi/example.ts'
import { evidence, limitsProposed, proposedExample } from '../proposal/proposal-paths.ts'
import { replayedHeader } from '../openapi/header.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'

const tag = 'Tenants'
const active = tenantToJson(example.tenant)
const order = { cause: 'court_order', reason: 'Order 12/2026 of the 3rd court of La Paz.', evidence } as const
const suspended = tenantToJson({ ...example.tenant, status: 'suspended', suspension: { ...order, at: example.at(0) } })
const path = z.object({ id: id('ten') })
const { legal_name, technical_contact, margin_bps } = active

const create = operation({
  id: 'createTenant',
  tag,
  summary: 'Create a tenant',
  description: `With an empty wallet. Pricing and limits other than the defaults need the role \`admin\`; they can be set later. ${repeatableText}`,
  access: 'operator',
  header: repeatableHeaders,
  body: { schema: tenantRequest, examples: { tenant: { legal_name, technical_contact, margin_bps } } },
  answers: { 201: { description: 'The tenant.', schema: tenant, examples: { active }, headers: replayedHeader } },
  refused: parseTenantRequest({ legal_name: '', technical_contact, margin_bps: 1.5 }),
  errors: ['IDEMPOTENCY_KEY_REUSED'],
})

const list = operation({
  id: 'listTenants',
  tag,
  summary: 'List tenants, newest first',
  access: 'operator',
  description:
    'With `text`, a page can have fewer tenants than its limit and still a `next_cursor`: it reads 2,000 tenants.',
  query: tenantListQuery,
  answers: lastPage(tenantPage, [example.tenant], tenantToJson),
  refused: parseTenantList('limit=0'),
})

const get = operation({
  id: 'getTenant',
  tag,
  summary: 'Read a tenant',
  access: 'operator',
  path,
  answers: ok('The tenant.', tenant, { active, suspended }),
  refused: parseNoQuery('expand=keys'),
  errors: ['TENANT_NOT_FOUND'],
})

const update = operation({
  id: 'updateTenant',
  tag,
  summary: 'Change a tenant’s name, contact, pricing or limits',
  description:
    'Pricing and limits need the role `admin`. Members that are left out stay. Quotes that are open keep their price; a daily limit counts the payouts of the whole day, also those before it was set. A limit raised above `APPROVAL_LIMIT_CAP_BOB` or `APPROVAL_LIMIT_DAILY_USDT` takes effect once another admin approves its proposal: send it with `reason` and without members that are no limits. So does every change of a price in production. In the sandbox one admin raises every limit and changes every price.',
  access: 'operator',
  path,
  body: {
    schema: tenantPatch,
    examples: {
      margin: { margin_bps: 150 },
      contact: { technical_contact },
      limits: {
        daily_limit_usdt: '10000.00',
        daily_limit_count: null,
        reason: 'The tenant pays its suppliers at the end of the year.',
        evidence,
      },
    },
  },
  answers: { 200: { description: 'The tenant.', schema: tenant, examples: { active } }, 202: limitsProposed },
  refused: parseTenantPatch({ margin_bps: 5001 }),
  errors: ['TENANT_NOT_FOUND'],
})

const suspend = operation({
  id: 'suspendTenant',
  tag,
  summary: 'Suspend a tenant',
  description: `Its keys stop working within ${keyCacheSeconds} seconds. Payouts under way are settled as usual. Its technical contact gets a notice, without the reason. A suspension that two people end stays as it is.`,
  access: 'operator',
  path,
  body: {
    schema: suspensionRequest,
    examples: { order, unpaid: { cause: 'unpaid', reason: 'The invoice of October.' } },
  },
  answers: ok('The tenant.', tenant, { suspended }),
  refused: parseSuspension({ cause: 'holiday', reason: '' }),
  errors: ['TENANT_NOT_FOUND'],
})

const eraseContact = operation({
  id: 'eraseTenantContact',
  tag,
  summary: 'Erase the technical contact of a tenant',
  description:
    'Its name and e-mail, and those of former contacts, also in the audit log, which keeps a digest that nobody can resolve. The tenant gets no notices until a contact is set. It cannot be undone.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The tenant.', tenant, { suspended }),
  refused: parseNoBody({ force: true }),
  errors: ['TENANT_NOT_FOUND'],
})

const resume = operation({
  id: 'resumeTenant',
  tag,
  summary: 'Resume a tenant',
  description:
    'Its keys work again, and its technical contact gets a notice. After a suspension for `court_order`, `fraud` or `sanctions` another operator approves it first.',
  access: 'operator',
  path,
  body: {
    schema: resumptionRequest,
    examples: {
      paid: { reason: 'The invoice is paid.' },
      lifted: { reason: 'The court has lifted its order.', evidence },
    },
  },
  answers: {
    200: { description: 'The tenant.', schema: tenant, examples: { active } },
    202: proposedExample({
      action: { type: 'resume_tenant', tenantId: example.tenant.id, suspendedAt: example.at(-600) },
      reason: 'The court has lifted its order.',
    }),
  },
  refused: parseResumption({ reason: '' }),
  errors: ['TENANT_NOT_FOUND', 'TENANT_LISTED'],
})

export const tenantPaths: ZodOpenApiPathsObject = {
  '/operator/v1/tenants': { post: create, get: list },
  '/operator/v1/tenants/{id}': { get, patch: update },
  '/operator/v1/tenants/{id}/erase-contact': { post: eraseContact },
  '/operator/v1/tenants/{id}/suspend': { post: suspend },
  '/operator/v1/tenants/{id}/resume': { post: resume },
}
