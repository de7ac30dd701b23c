import type { IRouter } from 'express'
import type { TenantStore } from '@quipu/core/adapter'
import type { ReadStatements } from '@quipu/core/operator'
import { parseStatement } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { statementAnswer, statementNameOf } from '../../http/statement-answer.ts'
import { allowed } from '../allowed.ts'
import { tenantIdOf } from '../tenant-id.ts'

export type TenantStatementRoutes = { readonly statements: ReadStatements; readonly tenants: Pick<TenantStore, 'find'> }

/** Any tenant's statements, as the tenant reads them. */
export function tenantStatementRoutes(router: IRouter, { statements, tenants }: TenantStatementRoutes): void {
  bind(router, '/operator/v1/tenants/:id/statements/:period', {
    get: allowed('viewer', {
      query: (search, res) => parseStatement(String(res.req.params['id']), statementNameOf(res.req), search),
      async handle(_actor, { req, query }) {
        const id = tenantIdOf(req)
        if (!(await tenants.find(id))) throw new ApiError('TENANT_NOT_FOUND')
        return statementAnswer(statements, id, req, query)
      },
    }),
  })
}
