import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import type { ApiKeyStore } from '@quipu/core/adapter'
import type { ManageOwnKeys } from '@quipu/core/operator'
import {
  ownApiKeyToJson,
  pageToJson,
  parseNoBody,
  parseOwnApiKeyList,
  parseRotateOwnKey,
  rotatedApiKeyToJson,
} from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { addressOf } from '../http/limit/source-address.ts'
import { bind, idInPath } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

export type ApiKeyRoutes = {
  readonly apiKeys: Pick<ApiKeyStore, 'list'>
  readonly manageOwnKeys: ManageOwnKeys
  readonly now: Clock
}

/** The keys of the caller's tenant, which it reads, rotates and revokes. */
export function apiKeyRoutes(router: IRouter, { apiKeys, manageOwnKeys, now }: ApiKeyRoutes): void {
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
  bind(router, '/v1/api-keys/:id/rotate', {
    post: scoped('keys:write', {
      body: parseRotateOwnKey,
      async handle(caller, { req, body: { overlapSeconds } }) {
        const answer = await manageOwnKeys.rotate(caller, keyIdOf(req), overlapSeconds, addressOf(req))
        if (answer.type === 'refused') throw refusals[answer.code]()
        return { status: 201, json: rotatedApiKeyToJson(answer.record, answer.key, now()) }
      },
    }),
  })
  bind(router, '/v1/api-keys/:id/revoke', {
    post: scoped('keys:write', {
      body: parseNoBody,
      async handle(caller, { req }) {
        const result = await manageOwnKeys.revoke(caller, keyIdOf(req), addressOf(req))
        if (result !== 'revoked') throw refusals[result]()
        return { status: 204 }
      },
    }),
  })
}

const refusals = {
  not_found: () => new ApiError('API_KEY_NOT_FOUND'),
  not_active: () => new ApiError('API_KEY_NOT_ACTIVE'),
  last: () => new ApiError('API_KEY_IS_LAST'),
  unauthorized: () => new ApiError('AUTHENTICATION_FAILED'),
  wider: () =>
    new ApiError('SCOPE_REQUIRED', {
      message: 'The API key lacks a scope of the other one, or may be used from other addresses only.',
    }),
}

const keyIdOf = idInPath('key', 'API_KEY_NOT_FOUND')
