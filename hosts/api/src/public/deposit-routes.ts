import type { IRouter } from 'express'
import type { DepositStore } from '@quipu/core/adapter'
import { depositToJson, pageToJson, parseDepositList } from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { bind, idInPath } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

/** The answers are the Deposit of spec §2; the endpoints are assumed. */
export function depositRoutes(router: IRouter, deposits: Pick<DepositStore, 'get' | 'list'>): void {
  bind(router, '/v1/deposits', {
    get: scoped('wallet:read', {
      query: (search, res) => parseDepositList(callerOf(res).tenant.id, search),
      async handle({ tenant }, { query: { query, scope } }) {
        const page = await deposits.list(tenant.id, query)
        return { status: 200, json: pageToJson(page, depositToJson, scope) }
      },
    }),
  })

  bind(router, '/v1/deposits/:id', {
    get: scoped('wallet:read', {
      async handle({ tenant }, { req }) {
        const deposit = await deposits.get(tenant.id, depositIdOf(req))
        if (!deposit) throw new ApiError('DEPOSIT_NOT_FOUND')
        return { status: 200, json: depositToJson(deposit) }
      },
    }),
  })
}

const depositIdOf = idInPath('dep', 'DEPOSIT_NOT_FOUND')
