import { type ApiKey, apiKeyScopes } from '@quipu/core'
import { apiKeyStatusAt, apiKeyStatuses, overlapSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { integer, members, queryMembers } from '../json/fields.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage, ok } from '../openapi/answers.ts'

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
export const ownApiKeyToJson = (key: ApiKey, now: Date): OwnApiKeyJson =>
  rowToJson(ownApiKey, key, { status: apiKeyStatusAt(key, now), replaces: key.replaces?.keyId ?? null })

const rotateOwnKeyRequest = members({
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
const rotatedApiKey = ownApiKey
  .extend({ key: z.string().meta({ description: 'The new key. Shown only here: keep it.' }) })
  .meta({ id: 'RotatedApiKey' })

export const rotatedApiKeyToJson = (record: ApiKey, key: string, now: Date): z.output<typeof rotatedApiKey> => ({
  ...ownApiKeyToJson(record, now),
  key,
})

const ownApiKeyPage = pageOf(ownApiKey, 'ApiKeyPage')

const ownApiKeyListQuery = queryMembers(pageParameters)

/** Reads the query of `GET /v1/api-keys`. */
export const parseOwnApiKeyList = (tenantId: string, search: URLSearchParams | string): Parsed<ListRequest> =>
  parseList(ownApiKeyListQuery, ['api_keys', tenantId], search)

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
  summary: { en: 'List your API keys, newest first', es: 'Listar sus claves de API, las más nuevas primero' },
  description: {
    en: 'The records of all keys of the account, revoked and expired ones included, whichever key asks. A key itself is shown once, when the operator of the service issues it, and never here: `name` and `last_four` distinguish keys.',
    es: 'Los registros de todas las claves de la empresa, incluidas las revocadas y vencidas, sea cual sea la clave que pregunta. La clave misma se muestra una vez, cuando el operador del servicio la emite, y nunca aquí: `name` y `last_four` distinguen las claves.',
  },
  access: { scope: 'keys:read' },
  query: ownApiKeyListQuery,
  answers: lastPage(ownApiKeyPage, [current, old], (key) => ownApiKeyToJson(key, example.at(0))),
  refused: parseOwnApiKeyList(example.tenant.id, 'limit=500'),
})

const own = operation({
  id: 'getOwnApiKey',
  tag: 'API keys',
  summary: { en: 'Read the record of the API key that asks', es: 'Leer el registro de la clave de API que pregunta' },
  description: {
    en: 'With any scope: when the key expires, and what it may do.',
    es: 'Con cualquier alcance: cuándo vence la clave y qué puede hacer.',
  },
  access: { scope: 'any' },
  answers: ok({ en: 'The key’s record.', es: 'El registro de la clave.' }, ownApiKey, {
    current: ownApiKeyToJson(current, example.at(0)),
  }),
})

const keyPath = z.object({ id: id('key').meta({ examples: [example.apiKey.id] }) })

const rotate = operation({
  id: 'rotateOwnApiKey',
  tag: 'API keys',
  summary: { en: 'Replace an API key by a new one', es: 'Reemplazar una clave de API por una nueva' },
  description: {
    en: 'The key that asks, or another one whose scopes it all has. The new key works at once, with the name, scopes and addresses of the old one; it expires with it, and no later than the key that asks. `key` is shown here and never again: if the answer is lost, rotate again. The technical contact is notified.',
    es: 'La clave que pregunta, u otra cuyos alcances tenga todos. La clave nueva funciona enseguida, con el nombre, los alcances y las direcciones de la anterior; vence con ella, y no después de la clave que pregunta. `key` se muestra aquí y nunca más: si se pierde la respuesta, rote otra vez. Se avisa al contacto técnico.',
  },
  access: { scope: 'keys:write' },
  path: keyPath,
  body: {
    schema: rotateOwnKeyRequest,
    examples: { day: { overlap_seconds: overlapSeconds.default }, leaked: { overlap_seconds: 0 } },
    optional: true,
  },
  answers: created({ en: 'The new key and its record.', es: 'La clave nueva y su registro.' }, rotatedApiKey, {
    rotated: rotatedApiKeyToJson(current, example.key, example.at(0)),
  }),
  refused: parseRotateOwnKey({ overlap_seconds: -1 }),
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE'],
})

const revoke = operation({
  id: 'revokeOwnApiKey',
  tag: 'API keys',
  summary: { en: 'Revoke an API key of yours', es: 'Revocar una clave de API suya' },
  description: {
    en: 'Any key of the account, whatever its scopes. It changes nothing from now on, and reads for a few seconds at most. The last working key with `keys:write` is rotated, not revoked. The technical contact is notified.',
    es: 'Cualquier clave de la empresa, sean cuales sean sus alcances. Desde ahora no cambia nada, y lee durante unos segundos como máximo. La última clave vigente con `keys:write` se rota, no se revoca. Se avisa al contacto técnico.',
  },
  access: { scope: 'keys:write' },
  path: keyPath,
  body: noBody,
  answers: { 204: { description: { en: 'It is revoked.', es: 'Está revocada.' } } },
  refused: parseNoBody({ overlap_seconds: 0 }),
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_IS_LAST'],
})

export const ownApiKeyPaths: ZodOpenApiPathsObject = {
  '/v1/api-keys': { get: list },
  '/v1/api-keys/current': { get: own },
  '/v1/api-keys/{id}/rotate': { post: rotate },
  '/v1/api-keys/{id}/revoke': { post: revoke },
}
