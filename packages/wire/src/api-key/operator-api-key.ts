import { type ApiKey, apiKeyScopes, keyCacheSeconds } from '@quipu/core'
import { type NewApiKey, type OpenProposal, overlapSeconds, type ProposalNote } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { addressOrCidr } from '../json/address.ts'
import { instant, integer, members, nameText, oneOf, ruleMessage } from '../json/fields.ts'
import { floorToMs, parseInstant } from '../json/instant.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { pageOf } from '../list/list.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { optionalNote, readOptionalNote } from '../json/note.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { evidence } from '../proposal/proposal-paths.ts'

const scopesRule = ruleMessage('must be a list of at least one scope')

const addressesRule = ruleMessage('must be a list of 1 to 100 addresses, or null for every address')
const addresses = z
  .array(addressOrCidr, { error: addressesRule })
  .min(1)
  .max(100)
  .nullable()
  .meta({
    description: 'IPv4 and IPv6 addresses and CIDRs from which the key may be used; null: every address.',
    examples: [['192.0.2.10', '2001:db8:10::/48']],
  })

const apiKeyPatch = members({ allowed_addresses: addresses }).meta({ id: 'ApiKeyPatch' })

/** Reads the body of `PATCH /operator/v1/api-keys/{id}`. */
export const parseApiKeyPatch = (body: unknown): Parsed<{ readonly allowedAddresses: readonly string[] | null }> =>
  mapParsed(parse(apiKeyPatch, body), ({ allowed_addresses }) => ({ allowedAddresses: allowed_addresses }))

const rotateKeyRequest = members({
  overlap_seconds: integer(0, overlapSeconds.max)
    .default(overlapSeconds.default)
    .meta({
      description: 'How long the old key still works once the new one does.',
      examples: [overlapSeconds.default],
    }),
  ...optionalNote,
}).meta({ id: 'RotateApiKeyRequest' })

/** The overlap of a rotation, and why, if the request says it. */
export type RotateKeyRequest = { readonly overlapSeconds: number; readonly note: ProposalNote | undefined }

/** Reads the body of `POST /operator/v1/api-keys/{id}/rotate`. */
export const parseRotateKey = (body: unknown): Parsed<RotateKeyRequest> =>
  mapParsed(parse(rotateKeyRequest, body === undefined ? {} : body), ({ overlap_seconds, ...more }) => ({
    overlapSeconds: overlap_seconds,
    note: readOptionalNote(more),
  }))

const apiKeyRequest = members({
  name: nameText(100).meta({ examples: ['checkout backend'] }),
  scopes: z
    .array(oneOf(apiKeyScopes), { error: scopesRule })
    .min(1)
    .meta({ examples: [['payouts:write', 'payouts:read']] }),
  expires_at: instant.meta({ examples: ['2027-11-20T15:04:05.000Z'] }).optional(),
  allowed_addresses: addresses.optional(),
  ...optionalNote,
}).meta({ id: 'ApiKeyRequest' })

/** A new key, and why, if the request says it. */
export type ApiKeyRequest = { readonly input: NewApiKey; readonly note: ProposalNote | undefined }

/** Reads the body of `POST /operator/v1/tenants/{id}/api-keys`. */
export const parseApiKeyRequest = (body: unknown): Parsed<ApiKeyRequest> =>
  mapParsed(parse(apiKeyRequest, body), ({ name, scopes, expires_at, allowed_addresses, ...more }) => {
    const expiresAt = expires_at === undefined ? undefined : parseInstant(expires_at)
    const input = {
      name,
      scopes: [...new Set(scopes)],
      expiresAt: expiresAt ? floorToMs(expiresAt) : null,
      allowedAddresses: allowed_addresses ?? null,
    }
    return { input, note: readOptionalNote(more) }
  })

const record = {
  id: idText('key'),
  tenant_id: idText('ten'),
  name: z.string(),
  prefix: z.string().meta({ examples: ['qpu_test_'] }),
  last_four: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  created_at: time,
  activated_at: time
    .nullable()
    .meta({ description: 'Null while its proposal is not approved: the key does not work yet.' }),
  last_used_at: time.nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  replaces: idText('key').nullable().meta({ description: 'The key that it replaces.' }),
  allowed_addresses: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'From where the key may be used; null: from every address.',
      examples: [['192.0.2.10', '2001:db8:10::/48']],
    }),
}

/** The record of a key, without the key and its hash. */
export const apiKey = z.object(record).meta({ id: 'TenantApiKey' })
export type ApiKeyJson = z.output<typeof apiKey>

export const apiKeyToJson = (key: ApiKey): ApiKeyJson =>
  rowToJson(apiKey, key, { replaces: key.replaces?.keyId ?? null })

const { id: keyId, ...others } = record

/** Answers the issue of a key, and is the only answer that shows the key itself. @source spec §5 */
export const issuedApiKey = z
  .object({
    id: keyId,
    key: z.string().meta({ description: 'Shown only here. Keep it.' }),
    proposal_id: idText('prp')
      .nullable()
      .meta({ description: 'The proposal that activates the key; null: the key works at once.' }),
    ...others,
  })
  .meta({ id: 'IssuedApiKey' })
export type IssuedApiKeyJson = z.output<typeof issuedApiKey>

export const issuedApiKeyToJson = (
  record: ApiKey,
  key: string,
  proposal: Pick<OpenProposal, 'id'> | null,
): IssuedApiKeyJson => {
  const { id, ...rest } = apiKeyToJson(record)
  return { id, key, proposal_id: proposal?.id ?? null, ...rest }
}

const apiKeyPage = pageOf(apiKey, 'TenantApiKeyPage')

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
