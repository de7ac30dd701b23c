import { reviewCodes } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { type HttpErrorCode, httpErrors } from '../error/http-errors.ts'
import { operatorOpenApi } from '../document/operator.ts'
import { publicOpenApi } from '../document/public.ts'
import { payoutErrorCodes } from '../payout/payout.ts'
import { inLanguage } from '../text/text.ts'
import { operatorCodes, tenantCodes } from './code-explanations.ts'

const documents = [
  ['tenants', publicOpenApi({ isExample: true }), inLanguage(tenantCodes(), 'en')],
  ['tenants in Spanish', publicOpenApi({ isExample: true, language: 'es' }), inLanguage(tenantCodes(), 'es')],
  ['operators', operatorOpenApi(), inLanguage(operatorCodes(), 'en')],
] as const

test('every code of the enumerations is explained', () => {
  const { errors, payouts, reviews } = tenantCodes()
  expect(Object.keys(payouts).toSorted()).toEqual(payoutErrorCodes.toSorted())
  expect(Object.keys(reviews).toSorted()).toEqual(reviewCodes.toSorted())
  const codes = Object.keys(httpErrors) as HttpErrorCode[]
  expect(Object.keys(operatorCodes().errors).toSorted()).toEqual(codes.toSorted())
  const ofTenants = codes.filter((code) => !('isOperatorOnly' in httpErrors[code]))
  expect(Object.keys(errors).toSorted()).toEqual(ofTenants.toSorted())
})

/** The codes that a tenant may rely on, by hand: an enumeration that loses one differs from this list. */
const promised = {
  errors: {
    AUTHENTICATION_FAILED: 401,
    SCOPE_REQUIRED: 403,
    QUOTE_NOT_FOUND: 404,
    QUOTE_EXPIRED: 409,
    QUOTE_ALREADY_USED: 409,
    TRANSACTION_ID_REUSED: 409,
    PAYOUT_TYPE_NOT_AVAILABLE: 422,
    QR_REFUSED: 422,
    OPERATION_UNCERTAIN: 503,
    // From here on assumed.
    VALIDATION_FAILED: 400,
    NOT_FOUND: 404,
    PAYOUT_NOT_FOUND: 404,
    RESOLUTION_NOT_FOUND: 404,
    WEBHOOK_NOT_FOUND: 404,
    DEPOSIT_NOT_FOUND: 404,
    EVENT_NOT_FOUND: 404,
    DELIVERY_NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    REQUEST_TIMEOUT: 408,
    DELIVERY_PENDING: 409,
    IDEMPOTENCY_KEY_REUSED: 409,
    WEBHOOK_LIMIT_REACHED: 409,
    TOO_MANY_SECRETS: 409,
    BODY_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    FAUCET_AMOUNT_TOO_LARGE: 422,
    TOP_UP_ADDRESS_NOT_ALLOWED: 422,
    RECIPIENT_NOT_ALLOWED: 422,
    RATE_LIMITED: 429,
    FAUCET_LIMIT_EXCEEDED: 429,
    FAUCET_TOO_SOON: 429,
    HEADERS_TOO_LARGE: 431,
    INTERNAL_ERROR: 500,
    RATE_UNAVAILABLE: 503,
    NETWORK_UNAVAILABLE: 503,
    SERVICE_UNAVAILABLE: 503,
    FAUCET_EMPTY: 503,
  },
  payouts: [
    'QUOTE_AMOUNT_MISMATCH',
    'QUOTE_RESOLUTION_MISMATCH',
    'QUOTE_EXPIRED',
    'QUOTE_ALREADY_USED',
    'INSUFFICIENT_BALANCE',
    'INSUFFICIENT_FUNDS',
    'AMOUNT_EXCEEDS_PROVIDER_LIMIT',
    'DAILY_LIMIT_EXCEEDED',
    'PAYMENT_CANCELLED',
    'QR_REFUSED',
    'PAYMENT_FAILED',
  ],
  /** In order of precedence. */
  reviews: [
    'TRANSFER_DROPPED',
    'SENDER_LISTED',
    'SENDER_NOT_SCREENED',
    'TENANT_NOT_ACTIVE',
    'ADDRESS_RETIRED',
    'SENDER_BLOCKED',
    'ADDRESS_FROZEN',
    'SENDER_IS_SERVICE',
    'ADDRESS_NOT_VERIFIED',
    'TOKEN_STATE_CHANGED',
    'SOURCES_DISAGREE',
    'AMOUNT_BELOW_MINIMUM',
    'AMOUNT_ABOVE_AUTO_LIMIT',
  ],
} as const

test('spec §7: the enumerations have every promised code, and each is explained', () => {
  const { errors, payouts, reviews } = tenantCodes()
  const statuses = Object.keys(promised.errors).map((code) => [code, httpErrors[code as HttpErrorCode]?.status])
  expect(Object.fromEntries(statuses)).toEqual(promised.errors)
  expect(payoutErrorCodes.toSorted()).toEqual(promised.payouts.toSorted())
  expect(reviewCodes).toEqual(promised.reviews)
  const explained = { errors: Object.keys(errors), payouts: Object.keys(payouts), reviews: Object.keys(reviews) }
  expect(explained).toEqual({
    errors: expect.arrayContaining(Object.keys(promised.errors)),
    payouts: expect.arrayContaining([...promised.payouts]),
    reviews: expect.arrayContaining([...promised.reviews]),
  })
})

test.each(documents)('the document for %s has them', (_, openApi, codes) => {
  expect(openApi).toHaveProperty('x-codes', codes)
})

/** Codes that tenants meet keep their texts in the document for operators. */
const isOfTenants = (name: string): boolean => name.includes(' /v1/')

test.each(documents)('every text for %s is of sentences and names real operations', (_, openApi, codes) => {
  const operations = Object.entries(openApi.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const explained = Object.values(codes).flatMap((group) => Object.values(group))
  for (const { when, remedy } of explained) {
    expect(`${when} ${remedy}`).toMatch(/^[A-Z][^]*\.$/)
    const named = `${when} ${remedy}`.matchAll(/`((?:GET|POST|PATCH|DELETE) [^`]+)`/g)
    const unknown = Array.from(named, ([, name = '']) => name).filter(
      (name) => !operations.includes(name) && !isOfTenants(name),
    )
    expect(unknown).toEqual([])
  }
})

/** The names that a value of JSON schema gives: members, and the values of enumerations. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties = {}, enum: values = [], const: only = [] } = value as Record<string, object>
  return [...Object.keys(properties), values, only, ...Object.values(value).map(namesIn)].flat() as readonly string[]
}

test.each(documents)('every text for %s names real members', (_, openApi, codes) => {
  const names = namesIn([publicOpenApi({ isExample: true }), openApi])
  const explained = Object.values(codes).flatMap((group) => Object.values(group))
  const named = explained.flatMap(
    ({ when, remedy }) => `${when} ${remedy}`.match(/(?<=`)[a-z_]+(?:\.[a-z_]+)*(?=`)/g) ?? [],
  )
  const unknown = named.filter(
    (name) => !names.includes(name) && !name.split('.').every((part) => names.includes(part)),
  )
  expect(unknown).toEqual([])
})

test('only an outcome that is unknown, or a request that never arrived, is repeated at once', () => {
  const same = Object.entries(tenantCodes().errors).filter(([, { retry }]) => retry === 'same')
  expect(same.map(([code]) => code).toSorted()).toEqual(['INTERNAL_ERROR', 'OPERATION_UNCERTAIN', 'REQUEST_TIMEOUT'])
})
