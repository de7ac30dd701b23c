import { type ApiKey, apiKeyScopes } from '@quipu/core'
import { apiKeyStatusAt, apiKeyStatuses, overlapSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { integer, members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { cursorScope } from '../list/cursor.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'
import { parseQuery } from '../json/query.ts'

/** The record of a tenant's key as the tenant reads it, without the key and its hash. */
export const ownApiKey = z
  .object({
    id: idText('key'),
    name: z.string(),
    prefix: z.string().meta({ examples: ['qpu_test_'] }),
    last_four: z.string().meta({ description: 'How the key ends.' }),
    status: z
      .enum(apiKeyStatuses)
      .meta({ description: 'Only an `active` key works. `inactive`: the operator has not approved it.' }),
    scopes: z.array(z.enum(apiKeyScopes)),
    allowed_addresses: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'From where the key may be used; null: from every address.',
        examples: [['192.0.2.10', '2001:db8:10::/48']],
      }),
    replaces: idText('key').nullable().meta({ description: 'The key that it replaces.' }),
    created_at: time,
    activated_at: time.nullable(),
    last_used_at: time.nullable().meta({ description: 'Accurate to a minute.' }),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
  })
  .meta({ id: 'ApiKey' })
export type OwnApiKeyJson = z.output<typeof ownApiKey>

/** @param now  decides the status */
export const ownApiKeyToJson = (key: ApiKey, now: Date): OwnApiKeyJson => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  status: apiKeyStatusAt(key, now),
  scopes: [...key.scopes],
  allowed_addresses: key.allowedAddresses && [...key.allowedAddresses],
  replaces: key.replaces?.keyId ?? null,
  created_at: instantToJson(key.createdAt),
  activated_at: key.activatedAt && instantToJson(key.activatedAt),
  last_used_at: key.lastUsedAt && instantToJson(key.lastUsedAt),
  expires_at: key.expiresAt && instantToJson(key.expiresAt),
  revoked_at: key.revokedAt && instantToJson(key.revokedAt),
})

/** The body of `POST /v1/api-keys/{id}/rotate`. */
export const rotateOwnKeyRequest = members({
  overlap_seconds: integer(0, overlapSeconds.max)
    .default(overlapSeconds.default)
    .meta({ description: 'How long the old key still works; 0 ends it at once.', examples: [overlapSeconds.default] }),
}).meta({ id: 'RotateOwnApiKeyRequest' })

/** Reads the body of `POST /v1/api-keys/{id}/rotate`. */
export const parseRotateOwnKey = (body: unknown): Parsed<{ readonly overlapSeconds: number }> =>
  mapParsed(parse(rotateOwnKeyRequest, body === undefined ? {} : body), ({ overlap_seconds }) => ({
    overlapSeconds: overlap_seconds,
  }))

/** Answers a rotation, and is the only answer to a tenant that shows a key. */
export const rotatedApiKey = ownApiKey
  .extend({ key: z.string().meta({ description: 'The new key. Shown only here: keep it.' }) })
  .meta({ id: 'RotatedApiKey' })

export const rotatedApiKeyToJson = (record: ApiKey, key: string, now: Date): z.output<typeof rotatedApiKey> => ({
  ...ownApiKeyToJson(record, now),
  key,
})

export const ownApiKeyPage = pageOf(ownApiKey, 'ApiKeyPage')

/** The query of `GET /v1/api-keys`. */
export const ownApiKeyListQuery = members(pageParameters, 'in the query')

/** Reads the query of `GET /v1/api-keys`. */
export function parseOwnApiKeyList(tenantId: string, search: URLSearchParams | string): Parsed<ListRequest> {
  const parsed = parseQuery(ownApiKeyListQuery, search)
  if (!parsed.ok) return parsed
  const scope = cursorScope('api_keys', tenantId)
  return mapParsed(readPage(parsed.value, scope), (query) => ({ query, scope }))
}
