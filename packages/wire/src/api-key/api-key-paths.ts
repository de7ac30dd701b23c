import { overlapSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage, ok } from '../openapi/answers.ts'
import {
  ownApiKey,
  ownApiKeyListQuery,
  ownApiKeyPage,
  ownApiKeyToJson,
  parseOwnApiKeyList,
  parseRotateOwnKey,
  rotatedApiKey,
  rotatedApiKeyToJson,
  rotateOwnKeyRequest,
} from './api-key.ts'

const old = {
  ...example.apiKey,
  id: `key_${example.ulid('0D')}`,
  lastFour: '00b7',
  createdAt: example.at(-172_800),
  activatedAt: example.at(-172_800),
  lastUsedAt: example.at(-86_500),
  expiresAt: example.at(-3_600),
}
const current = { ...example.apiKey, replaces: { keyId: old.id, overlapSeconds: 82_800 } }

const list = operation({
  id: 'listApiKeys',
  tag: 'API keys',
  summary: 'List your API keys, newest first',
  description:
    'The records of all keys of the account, revoked and expired ones included, whichever key asks. A key itself is shown once, when the operator of the service issues it, and never here: `name` and `last_four` distinguish keys.',
  access: { scope: 'keys:read' },
  query: ownApiKeyListQuery,
  answers: lastPage(ownApiKeyPage, [current, old], (key) => ownApiKeyToJson(key, example.at(0))),
  refused: parseOwnApiKeyList(example.tenant.id, 'limit=500'),
})

const own = operation({
  id: 'getOwnApiKey',
  tag: 'API keys',
  summary: 'Read the record of the API key that asks',
  description: 'With any scope: when the key expires, and what it may do.',
  access: { scope: 'any' },
  answers: ok('The key’s record.', ownApiKey, { current: ownApiKeyToJson(current, example.at(0)) }),
})

const keyPath = z.object({ id: id('key').meta({ examples: [example.apiKey.id] }) })

const rotate = operation({
  id: 'rotateOwnApiKey',
  tag: 'API keys',
  summary: 'Replace an API key by a new one',
  description:
    'The key that asks, or another one whose scopes it all has. The new key works at once, with the name, scopes and addresses of the old one; it expires with it, and no later than the key that asks. `key` is shown here and never again: if the answer is lost, rotate again. The technical contact is notified.',
  access: { scope: 'keys:write' },
  path: keyPath,
  body: {
    schema: rotateOwnKeyRequest,
    examples: { day: { overlap_seconds: overlapSeconds.default }, leaked: { overlap_seconds: 0 } },
    optional: true,
  },
  answers: created('The new key and its record.', rotatedApiKey, {
    rotated: rotatedApiKeyToJson(current, example.key, example.at(0)),
  }),
  refused: parseRotateOwnKey({ overlap_seconds: -1 }),
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE'],
})

const revoke = operation({
  id: 'revokeOwnApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key of yours',
  description:
    'Any key of the account, whatever its scopes. It changes nothing from now on, and reads for a few seconds at most. The last working key with `keys:write` is rotated, not revoked. The technical contact is notified.',
  access: { scope: 'keys:write' },
  path: keyPath,
  body: noBody,
  answers: { 204: { description: 'It is revoked.' } },
  refused: parseNoBody({ overlap_seconds: 0 }),
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_IS_LAST'],
})

export const ownApiKeyPaths: ZodOpenApiPathsObject = {
  '/v1/api-keys': { get: list },
  '/v1/api-keys/current': { get: own },
  '/v1/api-keys/{id}/rotate': { post: rotate },
  '/v1/api-keys/{id}/revoke': { post: revoke },
}
