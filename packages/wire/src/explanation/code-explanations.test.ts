import { reviewCodes } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { type HttpErrorCode, httpErrors } from '../error/http-errors.ts'
import { operatorOpenApi } from '../openapi/operator.ts'
import { publicOpenApi } from '../openapi/public.ts'
import { payoutErrorCodes } from '../payout/payout.ts'
import { operatorCodes, tenantCodes } from './code-explanations.ts'

const documents = [
  ['tenants', publicOpenApi({ isExample: true }), tenantCodes()],
  ['operators', operatorOpenApi(), operatorCodes()],
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

test.each(documents)('the document for %s has them', (_, openApi, codes) => {
  expect(openApi).toHaveProperty('x-codes', codes)
})

/** Codes that tenants meet keep their texts in the document for operators. */
const isOfTenants = (name: string): boolean => name.includes(' /v1/')

test.each(documents)(
  'every text for %s is of sentences and names real operations',
  (_, openApi, codes) => {
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
  },
)

test('only an outcome that is unknown, or a request that never arrived, is repeated at once', () => {
  const same = Object.entries(tenantCodes().errors).filter(([, { retry }]) => retry === 'same')
  expect(same.map(([code]) => code).toSorted()).toEqual([
    'INTERNAL_ERROR',
    'OPERATION_UNCERTAIN',
    'REQUEST_TIMEOUT',
  ])
})
