import { keyCacheSeconds } from '@quipu/core'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { pageToJson } from '../list/list.ts'
import {
  apiKeyPage,
  apiKeyRequest,
  apiKeyToJson,
  issuedApiKey,
  issuedApiKeyToJson,
  parseApiKeyRequest,
} from './api-key.ts'
import { operatorListQuery, parseOperatorList } from './list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { evidence } from './proposal-paths.ts'

const tag = 'API keys'
const { name, scopes } = apiKeyToJson(example.apiKey)

const issue = operation({
  id: 'issueApiKey',
  tag,
  summary: 'Issue an API key',
  description:
    '`key` is shown here and never again. `expires_at` must be in the future. The scope `payouts:write` needs the role `admin`; in production the key then works once another admin approves its proposal, and `reason` is required.',
  access: 'operator',
  path: z.object({ id: id('ten') }),
  body: {
    schema: apiKeyRequest,
    examples: { key: { name, scopes, reason: 'The tenant goes live on 1 December.', evidence } },
  },
  answers: {
    201: {
      description: 'The key and its record.',
      schema: issuedApiKey,
      examples: {
        issued: issuedApiKeyToJson({ ...example.apiKey, lastUsedAt: null }, example.key, null),
      },
    },
    202: {
      description: 'The key, which does not work until another admin approves its proposal.',
      schema: issuedApiKey,
      examples: {
        proposed: issuedApiKeyToJson(
          { ...example.apiKey, prefix: 'qpu_live_', activatedAt: null, lastUsedAt: null },
          example.key.replace('test', 'live'),
          { id: `prp_${example.ulid('0G')}` },
        ),
      },
    },
  },
  refused: parseApiKeyRequest({ name, scopes: ['payouts'], expires_at: '2026-12-31' }),
  errors: ['TENANT_NOT_FOUND'],
})

const list = operation({
  id: 'listApiKeys',
  tag,
  summary: 'List a tenant’s API keys, newest first',
  access: 'operator',
  path: z.object({ id: id('ten') }),
  query: operatorListQuery,
  answers: {
    200: {
      description: 'A page, revoked and expired keys included.',
      schema: apiKeyPage,
      examples: {
        last: pageToJson(
          { items: [example.apiKey], next: null },
          apiKeyToJson,
          cursorScope('api_keys', ''),
        ),
      },
    },
  },
  refused: parseOperatorList('api_keys', 'limit=0'),
  errors: ['TENANT_NOT_FOUND'],
})

const revoke = operation({
  id: 'revokeApiKey',
  tag,
  summary: 'Revoke an API key',
  description: `It stops working within ${keyCacheSeconds} seconds. Revoking it again is the same as once.`,
  access: 'operator',
  path: z.object({ id: id('key') }),
  answers: { 204: { description: 'Revoked.' } },
  refused: parseNoQuery('force=true'),
  errors: ['API_KEY_NOT_FOUND'],
})

export const keyPaths: ZodOpenApiPathsObject = {
  '/operator/v1/tenants/{id}/api-keys': { post: issue, get: list },
  '/operator/v1/api-keys/{id}': { delete: revoke },
}
