import type { IRouter } from 'express'
import type { RequestLogStore } from '@quipu/core/operator'
import { pageToJson, parseRequestList, requestEntryToJson } from '@quipu/wire'
import { bind } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

/** The requests of the caller's tenant. */
export function requestRoutes(router: IRouter, requests: Pick<RequestLogStore, 'list'>): void {
  bind(router, '/v1/requests', {
    get: scoped('keys:read', {
      query: (search, res) => parseRequestList(callerOf(res).tenant.id, search),
      async handle({ tenant }, { query: { query, scope } }) {
        const page = await requests.list(tenant.id, query)
        return { status: 200, json: pageToJson(page, requestEntryToJson, scope) }
      },
    }),
  })
}
