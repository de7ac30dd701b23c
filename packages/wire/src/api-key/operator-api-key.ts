import { type ApiKey, apiKeyScopes } from '@quipu/core'
import { type NewApiKey, type OpenProposal, overlapSeconds, type ProposalNote } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { addressOrCidr } from '../json/address.ts'
import { instant, integer, members, nameText, oneOf, ruleMessage } from '../json/fields.ts'
import { floorToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { pageOf } from '../list/list.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { optionalNote, readOptionalNote } from '../json/note.ts'

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

/** The body of `PATCH /operator/v1/api-keys/{id}`. */
export const apiKeyPatch = members({ allowed_addresses: addresses }).meta({ id: 'ApiKeyPatch' })

/** Reads the body of `PATCH /operator/v1/api-keys/{id}`. */
export const parseApiKeyPatch = (body: unknown): Parsed<{ readonly allowedAddresses: readonly string[] | null }> =>
  mapParsed(parse(apiKeyPatch, body), ({ allowed_addresses }) => ({ allowedAddresses: allowed_addresses }))

/** The body of `POST /operator/v1/api-keys/{id}/rotate`. */
export const rotateKeyRequest = members({
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

/** The body of `POST /operator/v1/tenants/{id}/api-keys`. */
export const apiKeyRequest = members({
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

export const apiKeyToJson = (key: ApiKey): ApiKeyJson => ({
  id: key.id,
  tenant_id: key.tenantId,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: [...key.scopes],
  created_at: instantToJson(key.createdAt),
  activated_at: key.activatedAt && instantToJson(key.activatedAt),
  last_used_at: key.lastUsedAt && instantToJson(key.lastUsedAt),
  expires_at: key.expiresAt && instantToJson(key.expiresAt),
  revoked_at: key.revokedAt && instantToJson(key.revokedAt),
  replaces: key.replaces?.keyId ?? null,
  allowed_addresses: key.allowedAddresses && [...key.allowedAddresses],
})

const { id, ...others } = record

/** Answers the issue of a key, and is the only answer that shows the key itself. @source spec §5 */
export const issuedApiKey = z
  .object({
    id,
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

export const apiKeyPage = pageOf(apiKey, 'TenantApiKeyPage')
