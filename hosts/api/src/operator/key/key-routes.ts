import type { IRouter } from 'express'
import type { IssueApiKeyAnswer, ManageApiKeys } from '@quipu/core/operator'
import type { ApiKeyStore, TenantStore } from '@quipu/core/adapter'
import {
  apiKeyToJson,
  isId,
  issuedApiKeyToJson,
  pageToJson,
  parseApiKeyRequest,
  parseOperatorList,
} from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError, invalid } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'
import { noteMissing, unauthorized } from '../proposal-refusal.ts'
import { tenantIdOf } from '../tenant-routes.ts'

export type KeyRoutes = {
  readonly manageApiKeys: ManageApiKeys
  readonly apiKeys: Pick<ApiKeyStore, 'list'>
  readonly tenants: Pick<TenantStore, 'find'>
}

/** @source spec §5: keys are issued by the operator and shown once */
export function keyRoutes(router: IRouter, { manageApiKeys, apiKeys, tenants }: KeyRoutes): void {
  bind(router, '/operator/v1/tenants/:id/api-keys', {
    post: allowed('operator', {
      body: parseApiKeyRequest,
      isForAdmins: ({ input: { scopes } }) => scopes.includes('payouts:write'),
      handle: async (actor, { req, body: { input, note } }) =>
        issuedAnswer(await manageApiKeys.issue(actor, tenantIdOf(req), input, note)),
    }),
    get: allowed('viewer', {
      query: (search, { req }) =>
        parseOperatorList('api_keys', search, { tenant: String(req.params['id']) }),
      async handle(_actor, { req, query: { query, scope } }) {
        const id = tenantIdOf(req)
        const page = await apiKeys.list(id, query)
        const isKnown = page.items.length > 0 || (await tenants.find(id)) !== undefined
        if (!isKnown) throw new ApiError('TENANT_NOT_FOUND')
        return { status: 200, json: pageToJson(page, apiKeyToJson, scope) }
      },
    }),
  })

  bind(router, '/operator/v1/api-keys/:id', {
    delete: allowed('operator', {
      async handle(actor, { req }) {
        const id = String(req.params['id'])
        const revoked = isId('key', id) && (await manageApiKeys.revoke(actor.person, id))
        if (!revoked) throw new ApiError('API_KEY_NOT_FOUND')
        return { status: 204 }
      },
    }),
  })
}

/** @throws ApiError when it was refused */
function issuedAnswer(answer: IssueApiKeyAnswer): Answer {
  if (answer.type === 'issued') {
    const { key, record, proposal } = answer
    return { status: proposal ? 202 : 201, json: issuedApiKeyToJson(record, key, proposal) }
  }
  switch (answer.code) {
    case 'not_found':
      throw new ApiError('TENANT_NOT_FOUND')
    case 'already_expired':
      throw invalid([{ field: 'expires_at', message: 'must be in the future' }])
    case 'needs_note':
      throw noteMissing()
    case 'unauthorized':
      throw unauthorized()
  }
}
