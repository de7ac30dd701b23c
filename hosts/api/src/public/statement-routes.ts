import type { IRouter } from 'express'
import type { ReadStatements } from '@quipu/core/operator'
import { pageToJson, parseStatement, parseStatementList, statementPosition, statementSummaryToJson } from '@quipu/wire'
import { bind } from '../http/routing.ts'
import { statementAnswer, statementNameOf } from '../http/statement-answer.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

export type StatementRoutes = { readonly statements: ReadStatements }

/** Statements of the caller's wallet. */
export function statementRoutes(router: IRouter, { statements }: StatementRoutes): void {
  bind(router, '/v1/statements', {
    get: scoped('wallet:read', {
      query: (search, res) => parseStatementList(callerOf(res).tenant.id, search),
      async handle({ tenant }, { query: { query, scope } }) {
        const { items, next } = await statements.list(tenant.id, query)
        const page = { items, next: statementPosition(next) }
        return { status: 200, json: pageToJson(page, statementSummaryToJson, scope) }
      },
    }),
  })

  bind(router, '/v1/statements/:period', {
    get: scoped('wallet:read', {
      query: (search, res) => parseStatement(callerOf(res).tenant.id, statementNameOf(res.req), search),
      handle: ({ tenant }, { req, query }) => statementAnswer(statements, tenant.id, req, query),
    }),
  })
}
