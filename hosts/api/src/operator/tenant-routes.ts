import type { IRouter, Request } from 'express'
import type { ManageTenants, TenantRecord, TenantTerms } from '@quipu/core/operator'
import type { TenantStore } from '@quipu/core/adapter'
import {
  isId,
  pageToJson,
  parseNoBody,
  parseOperatorList,
  parseTenantPatch,
  parseTenantRequest,
  tenantToJson,
} from '@quipu/wire'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import { allowed } from './allowed.ts'

export type TenantRoutes = {
  readonly manageTenants: ManageTenants
  readonly tenants: Pick<TenantStore, 'find' | 'list'>
}

/** @source spec §1 Onboarding: the operator creates the tenant and sets the margin */
export function tenantRoutes(router: IRouter, { manageTenants, tenants }: TenantRoutes): void {
  bind(router, '/operator/v1/tenants', {
    post: allowed('operator', {
      body: parseTenantRequest,
      isForAdmins: hasTerms,
      async handle(actor, { body }) {
        const tenant = await manageTenants.create(actor.person, body)
        return { status: 201, json: tenantToJson(tenant) }
      },
    }),
    get: allowed('viewer', {
      query: (search) => parseOperatorList('tenants', search),
      async handle(_actor, { query: { query, scope } }) {
        const page = await tenants.list(query)
        return { status: 200, json: pageToJson(page, tenantToJson, scope) }
      },
    }),
  })

  bind(router, '/operator/v1/tenants/:id', {
    get: allowed('viewer', {
      handle: async (_actor, { req }) => found(await tenants.find(tenantIdOf(req))),
    }),
    patch: allowed('operator', {
      body: parseTenantPatch,
      isForAdmins: hasTerms,
      handle: async (actor, { req, body }) =>
        found(await manageTenants.change(actor.person, tenantIdOf(req), body)),
    }),
  })

  for (const change of ['suspend', 'resume'] as const) {
    bind(router, `/operator/v1/tenants/:id/${change}`, {
      post: allowed('operator', {
        body: parseNoBody,
        handle: async (actor, { req }) =>
          found(await manageTenants[change](actor.person, tenantIdOf(req))),
      }),
    })
  }
}

const hasTerms = ({ pricing, dailyLimits }: TenantTerms): boolean =>
  pricing !== undefined || dailyLimits !== undefined

/** The tenant's id in the path. @throws ApiError 404 when it is not a tenant id */
export function tenantIdOf(req: Request): string {
  const id = String(req.params['id'])
  if (!isId('ten', id)) throw new ApiError('TENANT_NOT_FOUND')
  return id
}

function found(tenant: TenantRecord | undefined): Answer {
  if (!tenant) throw new ApiError('TENANT_NOT_FOUND')
  return { status: 200, json: tenantToJson(tenant) }
}
