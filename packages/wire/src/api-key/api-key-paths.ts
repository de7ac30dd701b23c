import type { ZodOpenApiPathsObject } from 'zod-openapi'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { ownApiKey, ownApiKeyListQuery, ownApiKeyPage, ownApiKeyToJson, parseOwnApiKeyList } from './api-key.ts'

const old = {
  ...example.apiKey,
  id: `key_${example.ulid('0D')}`,
  lastFour: '00b7',
  createdAt: example.at(-172_800),
  activatedAt: example.at(-172_800),
  lastUsedAt: example.at(-86_500),
  expiresAt: example.at(-3_600),
}
const current = { ...example.apiKey, replaces: { keyId: old.id, overlapHours: 23 } }

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

export const ownApiKeyPaths: ZodOpenApiPathsObject = {
  '/v1/api-keys': { get: list },
  '/v1/api-keys/current': { get: own },
}
