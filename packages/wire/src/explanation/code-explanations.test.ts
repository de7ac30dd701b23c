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

/** The codes of the specification, and the enumerations of payouts and reviews by hand: one that is lost differs here. */
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
  expect(Object.keys(payouts).toSorted()).toEqual(promised.payouts.toSorted())
  expect(Object.keys(reviews).toSorted()).toEqual(promised.reviews.toSorted())
  const codes = Object.keys(httpErrors) as HttpErrorCode[]
  expect(Object.keys(operatorCodes().errors).toSorted()).toEqual(codes.toSorted())
  const ofTenants = codes.filter((code) => !('isOperatorOnly' in httpErrors[code]))
  expect(Object.keys(errors).toSorted()).toEqual(ofTenants.toSorted())
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
