import { tenantIdOf } from '../tenant-id.ts'
import type { IRouter } from 'express'
import type { ChangeTenantAnswer, ManageTenants, NewTenant, TenantRecord, TenantTerms } from '@quipu/core/operator'
import { authorized } from '@quipu/core/operator'
import type { TenantStore } from '@quipu/core/adapter'
import {
  parseNoBody,
  parseResumption,
  parseSuspension,
  parseTenantList,
  parseTenantPatch,
  parseTenantRequest,
  type Repeatable,
  tenantToJson,
} from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError, invalid } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { noteMissing } from '../proposal/proposal-refusal.ts'
import { proposedAnswer, type ProposalView } from '../proposal/proposal-routes.ts'
import { repeatable, replayedAnswer } from '../repeatable.ts'

export type TenantRoutes = ProposalView & {
  readonly manageTenants: ManageTenants
  readonly tenants: Pick<TenantStore, 'find' | 'list' | 'eraseContact'>
}

/** @source spec §1 Onboarding: the operator creates the tenant and sets the margin */
export function tenantRoutes(router: IRouter, ports: TenantRoutes): void {
  const { manageTenants, tenants } = ports
  bind(router, '/operator/v1/tenants', {
    post: allowed<Repeatable<NewTenant>>('operator', {
      body: repeatable(parseTenantRequest),
      isForAdmins: ({ body }) => hasTerms(body),
      async handle(actor, { body: { body, request } }) {
        if (request === undefined) return created(await manageTenants.create(actor, body))
        const answer = await manageTenants.createOnce(actor, body, request)
        if (answer.type === 'refused') throw new ApiError('IDEMPOTENCY_KEY_REUSED')
        return replayedAnswer(created(answer.tenant), answer.replayed)
      },
    }),
    get: allowedPage('viewer', { query: parseTenantList, list: (query) => tenants.list(query), toJson: tenantToJson }),
  })

  bind(router, '/operator/v1/tenants/:id', {
    get: allowed('viewer', { handle: async (_actor, { req }) => found(await tenants.find(tenantIdOf(req))) }),
    patch: allowed('operator', {
      body: parseTenantPatch,
      isForAdmins: ({ change }) => hasTerms(change),
      handle: async (actor, { req, body: { change, note } }) =>
        changedAnswer(await manageTenants.change(actor, tenantIdOf(req), change, note), ports),
    }),
  })

  bind(router, '/operator/v1/tenants/:id/erase-contact', {
    post: allowed('admin', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const id = tenantIdOf(req)
        authorized(await tenants.eraseContact(id, { ...actor, at: ports.now() }))
        return found(await tenants.find(id))
      },
    }),
  })

  bind(router, '/operator/v1/tenants/:id/suspend', {
    post: allowed('operator', {
      body: parseSuspension,
      handle: async (actor, { req, body }) => found(await manageTenants.suspend(actor, tenantIdOf(req), body)),
    }),
  })
  bind(router, '/operator/v1/tenants/:id/resume', {
    post: allowed('operator', {
      body: parseResumption,
      handle: async (actor, { req, body }) =>
        changedAnswer(await manageTenants.resume(actor, tenantIdOf(req), body), ports),
    }),
  })
}

const created = (tenant: TenantRecord): Answer => ({ status: 201, json: tenantToJson(tenant) })

const hasTerms = ({ pricing, dailyLimits }: TenantTerms): boolean => pricing !== undefined || dailyLimits !== undefined

function found(tenant: TenantRecord | undefined): Answer {
  if (!tenant) throw new ApiError('TENANT_NOT_FOUND')
  return { status: 200, json: tenantToJson(tenant) }
}

/** @throws ApiError when it was refused */
function changedAnswer(answer: ChangeTenantAnswer, view: ProposalView): Answer | Promise<Answer> {
  if (answer.type === 'tenant') return found(answer.tenant)
  if (answer.type === 'proposal') return proposedAnswer(view, answer.proposal)
  switch (answer.code) {
    case 'not_found':
      throw new ApiError('TENANT_NOT_FOUND')
    case 'listed':
      throw new ApiError('TENANT_LISTED')
    case 'needs_note':
      throw noteMissing()
    case 'needs_own_request':
      throw invalid([{ field: 'body', message: limitsAlone }])
  }
}

const limitsAlone =
  'must have no members but limits, or but prices, and reason and evidence, as another admin has to approve them'
