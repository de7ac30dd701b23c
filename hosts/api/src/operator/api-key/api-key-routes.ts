import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import type { IssueApiKeyAnswer, ManageApiKeys } from '@quipu/core/operator'
import type { ApiKeyStore, TenantStore } from '@quipu/core/adapter'
import {
  apiKeyToJson,
  type HttpErrorCode,
  issuedApiKeyToJson,
  parseApiKeyPatch,
  parseApiKeyRequest,
  parseOperatorList,
  parseRotateKey,
} from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError, invalid } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { expiryIssues, notInFuture, withLaterIssues } from '../later-issues.ts'
import { noteMissing } from '../proposal/proposal-refusal.ts'
import { tenantIdOf } from '../tenant-id.ts'

export type KeyRoutes = {
  readonly manageApiKeys: ManageApiKeys
  readonly apiKeys: Pick<ApiKeyStore, 'list'>
  readonly tenants: Pick<TenantStore, 'find'>
  readonly now: Clock
}

/** @source spec §5: keys are issued by the operator and shown once */
export function keyRoutes(router: IRouter, { manageApiKeys, apiKeys, tenants, now }: KeyRoutes): void {
  bind(router, '/operator/v1/tenants/:id/api-keys', {
    post: allowed('operator', {
      body: (json) => withLaterIssues(parseApiKeyRequest(json), json, (members) => expiryIssues(members, now())),
      isForAdmins: ({ input: { scopes } }) => scopes.includes('payouts:write'),
      handle: async (actor, { req, body: { input, note } }) =>
        issuedAnswer(await manageApiKeys.issue(actor, tenantIdOf(req), input, note), 'TENANT_NOT_FOUND'),
    }),
    get: allowedPage('viewer', {
      query: (search, req) => parseOperatorList('api_keys', search, { tenant: String(req.params['id']) }),
      async list(query, req) {
        const id = tenantIdOf(req)
        const page = await apiKeys.list(id, query)
        const isKnown = page.items.length > 0 || (await tenants.find(id)) !== undefined
        if (!isKnown) throw new ApiError('TENANT_NOT_FOUND')
        return page
      },
      toJson: apiKeyToJson,
    }),
  })

  bind(router, '/operator/v1/api-keys/:id', {
    patch: allowed('admin', {
      body: parseApiKeyPatch,
      async handle(actor, { req, body: { allowedAddresses } }) {
        const id = keyIdOf(req)
        const record = await manageApiKeys.setAllowedAddresses(actor, id, allowedAddresses)
        if (record === 'not_found') throw new ApiError('API_KEY_NOT_FOUND')
        return { status: 200, json: apiKeyToJson(record) }
      },
    }),
    delete: allowed('operator', {
      async handle(actor, { req }) {
        if (!(await manageApiKeys.revoke(actor, keyIdOf(req)))) throw new ApiError('API_KEY_NOT_FOUND')
        return { status: 204 }
      },
    }),
  })

  bind(router, '/operator/v1/api-keys/:id/rotate', {
    post: allowed('operator', {
      body: parseRotateKey,
      async handle(actor, { req, body: { overlapSeconds, note } }) {
        const answer = await manageApiKeys.rotate(actor, keyIdOf(req), overlapSeconds, note)
        return issuedAnswer(answer, 'API_KEY_NOT_FOUND')
      },
    }),
  })
}

const keyIdOf = idInPath('key', 'API_KEY_NOT_FOUND')

/**
 * The answer with a new key.
 *
 * @param notFound  the code of an unknown id in the path
 * @throws ApiError when it was refused
 */
function issuedAnswer(answer: IssueApiKeyAnswer, notFound: HttpErrorCode): Answer {
  if (answer.type === 'issued') {
    const { key, record, proposal } = answer
    return { status: proposal ? 202 : 201, json: issuedApiKeyToJson(record, key, proposal) }
  }
  switch (answer.code) {
    case 'not_found':
      throw new ApiError(notFound)
    case 'not_active':
      throw new ApiError('API_KEY_NOT_ACTIVE')
    case 'needs_admin':
      throw new ApiError('ROLE_REQUIRED', { message: 'Only the role admin issues a key with payouts:write.' })
    case 'already_expired':
      throw invalid([notInFuture])
    case 'needs_note':
      throw noteMissing()
  }
}
