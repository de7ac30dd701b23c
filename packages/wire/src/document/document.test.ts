import { describe, expect, test } from 'vitest'
import { apiKeyScopes } from '@quipu/core'
import { httpErrors } from '../error/http-errors.ts'
import { type JsonSchema, schemaFaults, type SchemaDocument } from '../testing/json-schema.ts'
import {
  errorCodesIn,
  errorCodesOf,
  eventsOf,
  everyRef,
  mediaOf,
  operationsOf,
  served,
  type Operation,
  type Response,
} from './document.fixture.ts'
import type { OpenApiDocument } from './document.ts'
import { operatorOpenApi } from './operator.ts'
import { publicOpenApi } from './public.ts'

const documents: [string, OpenApiDocument][] = [
  ['public', served(publicOpenApi({ serverUrl: 'https://sandbox.example' }))],
  ['operator', served(operatorOpenApi())],
  ['example server’s', served(publicOpenApi({ isExample: true }))],
]

describe.each(documents)('the %s document', (_name, document) => {
  const operations = operationsOf(document)
  const all = [...operations, ...eventsOf(document)]

  test('is OpenAPI 3.1 of version 1.0.0 (spec §9)', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('1.0.0')
    expect(document.info.title).toMatch(/^Quipu/)
  })

  test('resolves every reference', () => {
    const refs = everyRef(document)
    expect(refs.length).toBeGreaterThan(10)
    for (const ref of refs) {
      const target = ref
        .slice('#/'.length)
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)
      expect(target, ref).toBeTypeOf('object')
    }
  })

  test('names every operation once, and describes it', () => {
    const ids = all.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags?.map(({ name }) => name)
    for (const [, operation] of all) {
      expect(operation.summary).toMatch(/\S/)
      expect(operation.tags.every((tag) => tags?.includes(tag))).toBe(true)
    }
  })

  test('declares every path parameter', () => {
    for (const [at, { parameters = [] }] of operations) {
      const inPath = [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name)).toEqual(inPath)
    }
  })

  test('gives every answer a description, a request id and, but for 204, a schema', () => {
    for (const [at, { responses }] of operations)
      for (const [status, { description, headers, content }] of Object.entries(responses)) {
        expect(description, `${at} ${status}`).toMatch(/\S/)
        expect(headers, `${at} ${status}`).toHaveProperty('X-Request-Id')
        if (status === '204') expect(content).toBeUndefined()
        else expect(mediaOf(content)?.schema, `${at} ${status}`).toBeTypeOf('object')
      }
  })

  test('has only examples that satisfy their schemas', () => {
    const media = all.flatMap(([at, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)].map((holder) => ({ at, ...mediaOf(holder?.content) })),
    )
    const examples = media.flatMap(({ at, schema, examples = {} }) =>
      Object.entries(examples).map(([name, { value }]) => ({ at, name, value, schema })),
    )
    expect(examples.length).toBeGreaterThan(operations.length * 3)
    for (const { at, name, value, schema } of examples)
      expect(schema && schemaFaults(schema, value, document as SchemaDocument), `${at} ${name}`).toEqual([])
  })

  test('has examples of fields that satisfy their schemas', () => {
    const fields = Object.values(document.components?.schemas ?? {}).flatMap(fieldsWithExamples)
    expect(fields.length).toBeGreaterThan(5)
    for (const field of fields)
      for (const example of field.examples)
        expect(schemaFaults(field, example, document as SchemaDocument), JSON.stringify(example)).toEqual([])
  })

  test('every 503 has Retry-After', () => {
    for (const [at, { responses }] of operations)
      if (responses['503']) expect(responses['503'].headers, at).toHaveProperty('Retry-After')
  })

  test('shows every code under its own status', () => {
    for (const [at, operation] of operations)
      for (const [status, { content }] of Object.entries(operation.responses))
        for (const name of Object.keys(content?.['application/json']?.examples ?? {}))
          if (name in httpErrors)
            expect(httpErrors[name as keyof typeof httpErrors].status, `${at} ${name}`).toBe(Number(status))
  })

  test('has no keyword beside a $ref that could refuse what the $ref accepts', () => {
    const beside = (value: unknown): readonly string[] => {
      if (typeof value !== 'object' || value === null) return []
      const own = '$ref' in value && typeof value.$ref === 'string' ? Object.keys(value) : []
      return [...own, ...Object.values(value).flatMap(beside)]
    }
    expect(new Set(beside(document.components?.schemas))).toEqual(new Set(['$ref', 'description']))
  })

  test('closes every request body and leaves every answer open', () => {
    const schemas = Object.entries(document.components?.schemas ?? {}) as [string, JsonSchema][]
    const objects = schemas.filter(([, schema]) => schema.properties)
    for (const [name, schema] of objects) {
      const isRequest = /(?:Request|Patch|BobTarget)$/.test(name)
      expect(schema.additionalProperties, name).toBe(isRequest ? false : undefined)
    }
  })
})

function fieldsWithExamples(value: unknown): (JsonSchema & { examples: unknown[] })[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(fieldsWithExamples)
  return 'examples' in value && Array.isArray(value.examples)
    ? [value as JsonSchema & { examples: unknown[] }, ...inner]
    : inner
}

describe('the public document', () => {
  const document = documents[0]?.[1] ?? publicOpenApi()
  const operations = new Map(operationsOf(document))

  test('names the scope of every operation (spec §4 and §5)', () => {
    const needed = Object.fromEntries(
      [...operations].map(([at, { security }]) => [at, security[0]?.['ApiKey']?.[0] ?? null]),
    )
    expect(needed).toEqual({
      'POST /v1/payouts': 'payouts:write',
      'GET /v1/payouts': 'payouts:read',
      'GET /v1/payouts/{id}': 'payouts:read',
      'POST /v1/payouts/qr/resolve': 'payouts:write',
      'POST /v1/quotes': 'payouts:write',
      'GET /v1/quotes/{id}': 'payouts:read',
      'GET /v1/wallets': 'wallet:read',
      'GET /v1/wallets/transactions': 'wallet:read',
      'GET /v1/wallets/reconciliation': 'wallet:read',
      'GET /v1/statements': 'wallet:read',
      'GET /v1/statements/{period}': 'wallet:read',
      'GET /v1/api-keys': 'keys:read',
      'GET /v1/api-keys/current': null,
      'POST /v1/api-keys/{id}/rotate': 'keys:write',
      'POST /v1/api-keys/{id}/revoke': 'keys:write',
      'GET /v1/requests': 'keys:read',
      'GET /v1/status': null,
      'GET /v1/deposits': 'wallet:read',
      'GET /v1/deposits/{id}': 'wallet:read',
      'PATCH /v1/wallets': 'wallet:write',
      'POST /v1/sandbox/faucet': 'wallet:write',
      'GET /v1/sandbox/faucet/{id}': 'wallet:read',
      'POST /v1/sandbox/qr-codes': 'payouts:write',
      'POST /v1/webhooks': 'webhooks:write',
      'GET /v1/webhooks': 'webhooks:read',
      'GET /v1/webhooks/{id}': 'webhooks:read',
      'PATCH /v1/webhooks/{id}': 'webhooks:write',
      'DELETE /v1/webhooks/{id}': 'webhooks:write',
      'POST /v1/webhooks/{id}/test': 'webhooks:write',
      'POST /v1/webhooks/{id}/replay': 'webhooks:write',
      'POST /v1/webhooks/{id}/pause': 'webhooks:write',
      'POST /v1/webhooks/{id}/reactivate': 'webhooks:write',
      'POST /v1/webhooks/{id}/rotate-secret': 'webhooks:write',
      'GET /v1/webhooks/{id}/deliveries': 'webhooks:read',
      'GET /v1/webhooks/{id}/deliveries/{delivery_id}': 'webhooks:read',
      'POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend': 'webhooks:write',
      'GET /v1/events': 'webhooks:read',
      'GET /v1/events/{id}': 'webhooks:read',
      'GET /healthz': null,
      'GET /readyz': null,
      'GET /v1/openapi.json': null,
    })
    expect(new Set(Object.values(needed))).toEqual(new Set([...apiKeyScopes, null]))
    expect(document.components?.securitySchemes).toMatchObject({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    })
  })

  test('spec §7: POST /v1/payouts has each of its errors, and OPERATION_UNCERTAIN is its only 503', () => {
    const operation = operations.get('POST /v1/payouts')
    expect(operation && errorCodesOf(operation).toSorted()).toEqual([
      'ADDRESS_NOT_ALLOWED',
      'AUTHENTICATION_FAILED',
      'BODY_TOO_LARGE',
      'INTERNAL_ERROR',
      'OPERATION_UNCERTAIN',
      'PAYOUT_TYPE_NOT_AVAILABLE',
      'QUOTE_ALREADY_USED',
      'QUOTE_EXPIRED',
      'QUOTE_NOT_FOUND',
      'RATE_LIMITED',
      'SCOPE_REQUIRED',
      'TRANSACTION_ID_REUSED',
      'UNSUPPORTED_MEDIA_TYPE',
      'VALIDATION_FAILED',
    ])
  })

  test('spec §4: the answer to POST /v1/payouts documents Idempotent-Replayed', () => {
    expect(operations.get('POST /v1/payouts')?.responses['201']?.headers).toHaveProperty('Idempotent-Replayed')
  })

  test('every 429 has Retry-After', () => {
    expect(operations.get('GET /v1/payouts')?.responses['429']?.headers).toMatchObject({
      'Retry-After': {},
      RateLimit: {},
      'RateLimit-Policy': {},
    })
  })

  test('spec §6: has every type of event with its signature headers', () => {
    const events = new Map(eventsOf(document))
    expect([...events.keys()]).toEqual([
      'payout.completed',
      'payout.failed',
      'payout.cancelled',
      'payout.refunded',
      'deposit.pending',
      'deposit.credited',
      'deposit.in_review',
      'deposit.closed',
      'wallet.balance_low',
      'wallet.balance_restored',
      'webhook.test',
    ])
    for (const [, { parameters = [] }] of events)
      expect(parameters.map((parameter) => [parameter.in, parameter.name])).toEqual([
        ['header', 'X-Service-Signature'],
        ['header', 'X-Service-Event-Id'],
      ])
  })

  test('the brand of the signature headers is a setting', () => {
    const [event] = eventsOf(publicOpenApi({ webhookHeaderPrefix: 'X-Acme-' }))
    expect(event?.[1].parameters?.[0]?.name).toBe('X-Acme-Signature')
  })

  test('names every code that it answers with, and none that only operators get', () => {
    const schema = document.components?.schemas?.['ErrorBody'] as JsonSchema
    const codes = JSON.stringify(schema)
      .match(/"[A-Z_]{5,}"/g)
      ?.map((text) => text.slice(1, -1))
    const anywhere = Object.values(document['x-responses'] ?? {}) as Response[]
    const shown = [...operations.values(), { responses: anywhere } as unknown as Operation]
      .flatMap(errorCodesIn)
      .toSorted()
    expect([...new Set(codes)].toSorted()).toEqual([...new Set(shown)])
  })

  test('spec §4: POST /v1/sandbox/faucet has its header and each of its errors', () => {
    const operation = operations.get('POST /v1/sandbox/faucet')
    expect(operation?.parameters?.map((parameter) => [parameter.in, parameter.name])).toEqual([
      ['header', 'Idempotency-Key'],
    ])
    expect(operation && errorCodesOf(operation)).toEqual(
      expect.arrayContaining([
        'FAUCET_AMOUNT_TOO_LARGE',
        'FAUCET_EMPTY',
        'FAUCET_LIMIT_EXCEEDED',
        'FAUCET_TOO_SOON',
        'IDEMPOTENCY_KEY_REUSED',
        'RECIPIENT_NOT_ALLOWED',
        'TOP_UP_ADDRESS_NOT_ALLOWED',
        'VALIDATION_FAILED',
      ]),
    )
    expect(operation?.responses['429']?.headers).toHaveProperty('Retry-After')
  })

  test('spec §6: each event’s example has its type, and data of its kind', () => {
    for (const [type, { requestBody }] of eventsOf(document)) {
      const example = requestBody?.content['application/json']?.examples?.[type]?.value
      const data = type === 'webhook.test' ? { webhook_id: expect.stringMatching(/^we_/) } : {}
      expect(example).toMatchObject({ type, event_version: 1, data })
    }
  })

  test('gives the format uri to no member that accepts other text', () => {
    for (const name of ['WebhookRequest', 'WebhookPatch', 'Webhook', 'WebhookWithSecret']) {
      const schema = document.components?.schemas?.[name] as JsonSchema | undefined
      expect(schema?.properties?.['url'], name).toHaveProperty('type', 'string')
      expect(schema?.properties?.['url'], name).not.toHaveProperty('format')
    }
  })

  test('names the server that it is served from', () => {
    expect(document.servers).toEqual([{ url: 'https://sandbox.example' }])
  })

  test('has no sandbox paths in production', () => {
    const paths = Object.keys(publicOpenApi({ environment: 'production' }).paths ?? {})
    expect(paths).toContain('/v1/payouts')
    expect(paths.filter((path) => path.includes('sandbox'))).toEqual([])
  })
})

test('the example server’s document adds its own operations', () => {
  const names = (document?: OpenApiDocument): string[] => (document ? operationsOf(document).map(([at]) => at) : [])
  const others = names(documents[0]?.[1])
  expect(names(documents[2]?.[1]).filter((at) => !others.includes(at))).toEqual([
    'POST /v1/mock/clock/advance',
    'POST /v1/mock/deposits',
  ])
  expect(names(documents[2]?.[1])).toEqual(expect.arrayContaining(others))
})
