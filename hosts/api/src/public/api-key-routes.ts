import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import type { ApiKeyStore } from '@quipu/core/adapter'
import { ownApiKeyToJson, pageToJson, parseOwnApiKeyList } from '@quipu/wire'
import { bind } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

export type ApiKeyRoutes = { readonly apiKeys: Pick<ApiKeyStore, 'list'>; readonly now: Clock }

/** The record of the caller's key, and those of its tenant's keys. */
export function apiKeyRoutes(router: IRouter, { apiKeys, now }: ApiKeyRoutes): void {
  bind(router, '/v1/api-keys/current', {
    get: scoped('any', { handle: ({ key }) => ({ status: 200, json: ownApiKeyToJson(key, now()) }) }),
  })
  bind(router, '/v1/api-keys', {
    get: scoped('keys:read', {
      query: (search, res) => parseOwnApiKeyList(callerOf(res).tenant.id, search),
      async handle({ tenant }, { query: { query, scope } }) {
        const page = await apiKeys.list(tenant.id, query)
        const at = now()
        return { status: 200, json: pageToJson(page, (key) => ownApiKeyToJson(key, at), scope) }
      },
    }),
  })
}
