import { keyCacheSeconds } from '@quipu/core'
import { overlapSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import {
  apiKey,
  apiKeyPage,
  apiKeyPatch,
  apiKeyRequest,
  apiKeyToJson,
  issuedApiKey,
  issuedApiKeyToJson,
  parseApiKeyPatch,
  parseApiKeyRequest,
  parseRotateKey,
  rotateKeyRequest,
} from './operator-api-key.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { evidence } from '../proposal/proposal-paths.ts'

const tag = 'API keys'
const { name, scopes } = apiKeyToJson(example.apiKey)

const keyPath = z.object({ id: id('key').meta({ examples: [example.apiKey.id] }) })

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
      examples: { issued: issuedApiKeyToJson({ ...example.apiKey, lastUsedAt: null }, example.key, null) },
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
  answers: lastPage(apiKeyPage, [example.apiKey], apiKeyToJson, 'A page, revoked and expired keys included.'),
  refused: parseOperatorList('api_keys', 'limit=0'),
  errors: ['TENANT_NOT_FOUND'],
})

const revoke = operation({
  id: 'revokeApiKey',
  tag,
  summary: 'Revoke an API key',
  description: `It stops working within ${keyCacheSeconds} seconds. Revoking it again is the same as once.`,
  access: 'operator',
  path: keyPath,
  answers: { 204: { description: 'Revoked.' } },
  refused: parseNoQuery('force=true'),
  errors: ['API_KEY_NOT_FOUND'],
})

const limited = { ...example.apiKey, allowedAddresses: ['192.0.2.10', '2001:db8:10::/48'] }

const update = operation({
  id: 'updateApiKey',
  tag,
  summary: 'Set the addresses from which a key may be used',
  description: `Needs the role \`admin\`. It counts within ${keyCacheSeconds} seconds. A request from another address is answered \`403 ADDRESS_NOT_ALLOWED\`. Behind proxies set \`TRUSTED_PROXIES\` first.`,
  access: 'operator',
  path: keyPath,
  body: {
    schema: apiKeyPatch,
    examples: { limited: { allowed_addresses: limited.allowedAddresses }, every: { allowed_addresses: null } },
  },
  answers: ok('The key’s record.', apiKey, { limited: apiKeyToJson(limited) }),
  refused: parseApiKeyPatch({ allowed_addresses: ['192.0.2.0/33'] }),
  errors: ['API_KEY_NOT_FOUND'],
})

const successor = {
  ...example.apiKey,
  lastUsedAt: null,
  id: `key_${example.ulid('0J')}`,
  replaces: { keyId: example.apiKey.id, overlapSeconds: overlapSeconds.default },
}

const rotate = operation({
  id: 'rotateApiKey',
  tag,
  summary: 'Replace an API key by a new one',
  description:
    'The new key has the name, scopes, addresses and length of life of the old one, which expires `overlap_seconds` after the new one works. `key` is shown here and never again. The scope `payouts:write` needs the role `admin`; in production the new key then works once another admin approves its proposal, and `reason` is required.',
  access: 'operator',
  path: keyPath,
  body: {
    schema: rotateKeyRequest,
    examples: { day: { overlap_seconds: overlapSeconds.default, reason: 'The yearly rotation.', evidence } },
    optional: true,
  },
  answers: {
    201: {
      description: 'The new key and its record.',
      schema: issuedApiKey,
      examples: { rotated: issuedApiKeyToJson(successor, example.key, null) },
    },
    202: {
      description: 'The new key, which does not work until another admin approves its proposal.',
      schema: issuedApiKey,
      examples: {
        proposed: issuedApiKeyToJson(
          { ...successor, prefix: 'qpu_live_', activatedAt: null },
          example.key.replace('test', 'live'),
          { id: `prp_${example.ulid('0G')}` },
        ),
      },
    },
  },
  refused: parseRotateKey({ overlap_seconds: -1 }),
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE'],
})

export const keyPaths: ZodOpenApiPathsObject = {
  '/operator/v1/tenants/{id}/api-keys': { post: issue, get: list },
  '/operator/v1/api-keys/{id}': { patch: update, delete: revoke },
  '/operator/v1/api-keys/{id}/rotate': { post: rotate },
}
