import { expect, test } from 'vitest'
import { operatorOpenApi } from './operator.ts'
import { publicOpenApi } from './public.ts'

const { components, paths } = publicOpenApi()
const schemas: Readonly<Record<string, unknown>> = components?.schemas ?? {}

const stated = new Set([
  'minLength',
  'maxLength',
  'x-max-utf8-bytes',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-max-json-bytes',
  'minimum',
  'maximum',
  'default',
  'format',
])

/** The statements of a schema and its members beside their types, as `path: keyword value`. */
function statementsOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.entries(value).filter(([key, each]) => stated.has(key) && !isObject(each))
  const inner = Object.entries(value).flatMap(([key, each]) =>
    statementsOf(each, /^(?:properties|anyOf|items|\d+)$/.test(key) ? path : `${path}.${key}`),
  )
  const text = own.map(([key, each]) => `${key} ${String(each)}`).join(', ')
  return [...(text === '' ? [] : [`${path}: ${text}`]), ...inner]
}

const isObject = (value: unknown): boolean => typeof value === 'object'

test('the schemas of requests state the lengths and numbers that their parsers accept', () => {
  const names = Object.keys(schemas).filter((name) => /(?:Request|Patch|Target)$/.test(name))
  expect(names.flatMap((name) => statementsOf(schemas[name], name)).toSorted()).toEqual([
    'BankTransferPayoutRequest.bank_transfer.account_number: minLength 6, maxLength 30',
    'BankTransferPayoutRequest.bank_transfer.bank_code: minLength 1, maxLength 10',
    'BankTransferPayoutRequest.bank_transfer.holder_name: minLength 3, maxLength 80',
    'BankTransferPayoutRequest.bank_transfer.identification_number: minLength 5, maxLength 20',
    'BankTransferPayoutRequest.description: minLength 0, maxLength 200',
    'BankTransferPayoutRequest.metadata.additionalProperties: minLength 0, maxLength 500',
    'BankTransferPayoutRequest.metadata: maxProperties 20, x-max-json-bytes 4096',
    'BankTransferPayoutRequest.quote_id: format uuid',
    'BankTransferPayoutRequest.transaction_id: minLength 1, maxLength 100',
    'ClosedSandboxQrRequest.description: minLength 1, maxLength 60, x-max-utf8-bytes 60',
    'ClosedSandboxQrRequest.merchant_name: minLength 1, maxLength 40, x-max-utf8-bytes 40',
    'ClosedSandboxQrRequest.scenario: default paid',
    'OpenSandboxQrRequest.description: minLength 1, maxLength 60, x-max-utf8-bytes 60',
    'OpenSandboxQrRequest.merchant_name: minLength 1, maxLength 40, x-max-utf8-bytes 40',
    'OpenSandboxQrRequest.scenario: default paid',
    'QrPayoutRequest.description: minLength 0, maxLength 200',
    'QrPayoutRequest.metadata.additionalProperties: minLength 0, maxLength 500',
    'QrPayoutRequest.metadata: maxProperties 20, x-max-json-bytes 4096',
    'QrPayoutRequest.qr.content: minLength 1, maxLength 500',
    'QrPayoutRequest.quote_id: format uuid',
    'QrPayoutRequest.transaction_id: minLength 1, maxLength 100',
    'QuoteRequest: minProperties 1',
    'ReplayRequest.since: format date-time',
    'ResolveRequest.content: minLength 1, maxLength 500',
    'RotateOwnApiKeyRequest.overlap_seconds: default 86400, minimum 0, maximum 2592000',
    'RotateSecretRequest.grace_seconds: minimum 0, maximum 604800, default 86400',
    'WebhookPatch.description: minLength 0, maxLength 200',
    'WebhookPatch.events: minItems 1',
    'WebhookPatch.url: minLength 1, maxLength 2048',
    'WebhookPatch: minProperties 1',
    'WebhookRequest.description: minLength 0, maxLength 200',
    'WebhookRequest.events: minItems 1',
    'WebhookRequest.url: minLength 1, maxLength 2048',
  ])
})

test('the schemas of requests about API keys state the lengths of their lists', () => {
  const ofOperators = operatorOpenApi().components?.schemas ?? {}
  const names = ['ApiKeyRequest', 'ApiKeyPatch']
  const statements = names.flatMap((name) => statementsOf(ofOperators[name], name))
  expect(statements.filter((statement) => statement.includes('Items'))).toEqual([
    'ApiKeyRequest.scopes: minItems 1',
    'ApiKeyRequest.allowed_addresses: minItems 1, maxItems 100',
    'ApiKeyPatch.allowed_addresses: minItems 1, maxItems 100',
  ])
})

test('the schemas of answers state formats', () => {
  const names = ['Payout', 'Quote', 'QuoteRecord', 'Deposit', 'Resolution', 'Delivery', 'Webhook']
  expect(names.flatMap((name) => statementsOf(schemas[name], name)).toSorted()).toEqual([
    'Delivery.created_at: format date-time',
    'Delivery.ended_at: format date-time',
    'Delivery.event_id: format uuid',
    'Delivery.next_attempt_at: format date-time',
    'Deposit.closed_at: format date-time',
    'Deposit.created_at: format date-time',
    'Deposit.credited_at: format date-time',
    'Deposit.transfer_index: minimum 0, maximum 9007199254740991',
    'Payout.completed_at: format date-time',
    'Payout.created_at: format date-time',
    'Quote.expires_at: format date-time',
    'Quote.id: format uuid',
    'QuoteRecord.created_at: format date-time',
    'QuoteRecord.expires_at: format date-time',
    'QuoteRecord.id: format uuid',
    'Resolution.created_at: format date-time',
    'Resolution.expires_at: format date-time',
    'Webhook.consecutive_exhausted: minimum 0, maximum 9007199254740991',
    'Webhook.created_at: format date-time',
    'Webhook.paused_at: format date-time',
    'Webhook.secrets.expires_at: format date-time',
    'Webhook.updated_at: format date-time',
  ])
})

test('the parameters of lists state what their parsers accept', () => {
  const parameters = paths?.['/v1/payouts']?.get?.parameters ?? []
  const stating = parameters.flatMap((each) => ('name' in each ? statementsOf(each.schema, each.name ?? '') : []))
  expect(stating.toSorted()).toEqual([
    'description: minLength 1, maxLength 200',
    'from: format date-time',
    'limit: minimum 1, maximum 100, default 50',
    'metadata.additionalProperties: minLength 0, maxLength 500',
    'metadata: maxProperties 20, x-max-json-bytes 4096',
    'to: format date-time',
    'transaction_id: minLength 1, maxLength 100',
  ])
})
