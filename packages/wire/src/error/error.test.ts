import { describe, expect, test } from 'vitest'
import { errorBody, errorToJson } from './error.ts'
import { httpErrors } from './http-errors.ts'

describe('the body of an HTTP error', () => {
  test('has code, message and request id, and no other members', () => {
    const json = errorToJson({ code: 'QUOTE_NOT_FOUND', requestId: 'r1' })
    expect(json).toStrictEqual({
      error: { code: 'QUOTE_NOT_FOUND', message: 'There is no quote with this id.', request_id: 'r1' },
    })
    expect(errorBody.parse(json)).toEqual(json)
  })

  test('spec §7: with 400 the message lists the fields, and details repeat them one by one', () => {
    const issues = [
      { field: 'type', message: 'must be qr or bank_transfer' },
      { field: 'qr.content', message: 'is required' },
    ]
    const json = errorToJson({ code: 'VALIDATION_FAILED', requestId: 'r1', issues })
    expect(json.error.message).toBe('type must be qr or bank_transfer; qr.content is required.')
    expect(json.error.details).toEqual(issues)
    expect(errorBody.parse(json)).toEqual(json)
  })

  test('may name the tenant’s own payout', () => {
    const json = errorToJson({ code: 'TRANSACTION_ID_REUSED', requestId: 'r1', payoutId: 'po_1' })
    expect(json.error.payout_id).toBe('po_1')
    expect(errorBody.parse(json)).toEqual(json)
  })

  test('links to the part of the reference page that explains the code', () => {
    const docsUrl = 'https://api.example.com/docs'
    const json = errorToJson({ code: 'NOT_FOUND', requestId: 'r1', docsUrl })
    expect(json.error.doc_url).toBe('https://api.example.com/docs#error-NOT_FOUND')
    expect(errorBody.parse(json)).toEqual(json)
  })

  test('can replace the message of its code', () => {
    const json = errorToJson({ code: 'NOT_FOUND', requestId: 'r1', message: 'Nothing.' })
    expect(json.error.message).toBe('Nothing.')
  })
})

test('spec §7: every code of the specification has the specification’s status', () => {
  const statuses = {
    AUTHENTICATION_FAILED: 401,
    SCOPE_REQUIRED: 403,
    QUOTE_NOT_FOUND: 404,
    QUOTE_EXPIRED: 409,
    QUOTE_ALREADY_USED: 409,
    TRANSACTION_ID_REUSED: 409,
    PAYOUT_TYPE_NOT_AVAILABLE: 422,
    QR_REFUSED: 422,
    OPERATION_UNCERTAIN: 503,
  } as const
  for (const [code, status] of Object.entries(statuses))
    expect(httpErrors[code as keyof typeof statuses].status, code).toBe(status)
})

test('every code has the status of its kind', () => {
  const codes = Object.keys(httpErrors).toSorted() as (keyof typeof httpErrors)[]
  expect(Object.groupBy(codes, (code) => httpErrors[code].status)).toEqual({
    400: ['VALIDATION_FAILED'],
    401: ['AUTHENTICATION_FAILED'],
    403: [
      'ADDRESS_NOT_ALLOWED',
      'CROSS_SITE_REQUEST',
      'OWN_PROPOSAL',
      'ROLE_REQUIRED',
      'SCOPE_REQUIRED',
      'SECOND_FACTOR_REQUIRED',
      'SECOND_FACTOR_WRONG',
    ],
    404: [
      'API_KEY_NOT_FOUND',
      'DELIVERY_NOT_FOUND',
      'DEPOSIT_NOT_FOUND',
      'DIFFERENCE_NOT_FOUND',
      'EVENT_NOT_FOUND',
      'NOT_FOUND',
      'OPERATOR_TOKEN_NOT_FOUND',
      'PAYOUT_NOT_FOUND',
      'PROPOSAL_NOT_FOUND',
      'QUOTE_NOT_FOUND',
      'RESOLUTION_NOT_FOUND',
      'RUN_NOT_FOUND',
      'SCREENING_CASE_NOT_FOUND',
      'SECOND_FACTOR_NOT_FOUND',
      'SESSION_NOT_FOUND',
      'STATEMENT_NOT_FOUND',
      'SWEEP_NOT_FOUND',
      'TENANT_NOT_FOUND',
      'TOP_UP_ADDRESS_NOT_FOUND',
      'WEBHOOK_NOT_FOUND',
    ],
    405: ['METHOD_NOT_ALLOWED'],
    408: ['REQUEST_TIMEOUT'],
    409: [
      'API_KEY_NOT_ACTIVE',
      'DELIVERY_PENDING',
      'DEPOSITS_NOT_OPEN',
      'DEPOSIT_ALREADY_RESOLVED',
      'DEPOSIT_NOT_IN_REVIEW',
      'DEPOSIT_NOT_UNSCREENED',
      'DIFFERENCE_NOT_OPEN',
      'IDEMPOTENCY_KEY_REUSED',
      'LAST_ADMIN',
      'NETWORK_CANNOT_CANCEL',
      'NETWORK_UNPROVEN',
      'NOTHING_TO_SWEEP',
      'OPERATOR_TOKEN_HASH_USED',
      'PAYOUTS_NOT_STOPPED',
      'PAYOUT_ALREADY_ENDED',
      'PAYOUT_ALREADY_REFUNDED',
      'PAYOUT_LEASED',
      'PAYOUT_NOT_REFUNDABLE',
      'PAYOUT_STATUS_NOT_QUERIED',
      'PROPOSAL_EXPIRED',
      'PROPOSAL_NOT_APPROVED',
      'PROPOSAL_NOT_EXECUTED',
      'PROPOSAL_NOT_OPEN',
      'PROPOSAL_OF_ANOTHER_TENANT',
      'QUOTE_ALREADY_USED',
      'QUOTE_EXPIRED',
      'SCREENING_CASE_DECIDED',
      'SECOND_FACTOR_IN_EFFECT',
      'SECOND_FACTOR_UNAVAILABLE',
      'SETTLEMENT_CONTRADICTS_NETWORK',
      'SWEEPS_NOT_CONFIGURED',
      'TENANT_LISTED',
      'TOO_MANY_SECRETS',
      'TRANSACTION_ID_REUSED',
      'WEBHOOK_LIMIT_REACHED',
      'WEBHOOK_PAUSED_BY_OPERATOR',
    ],
    413: ['BODY_TOO_LARGE'],
    415: ['UNSUPPORTED_MEDIA_TYPE'],
    422: [
      'DEPOSIT_NOT_CREDITABLE',
      'FAUCET_AMOUNT_TOO_LARGE',
      'PAYOUT_TYPE_NOT_AVAILABLE',
      'QR_REFUSED',
      'RECIPIENT_NOT_ALLOWED',
      'TOP_UP_ADDRESS_NOT_ALLOWED',
      'TREASURY_NOT_ALLOWED',
    ],
    429: ['FAUCET_LIMIT_EXCEEDED', 'FAUCET_TOO_SOON', 'RATE_LIMITED', 'SECOND_FACTOR_LOCKED'],
    431: ['HEADERS_TOO_LARGE'],
    500: ['INTERNAL_ERROR'],
    503: ['FAUCET_EMPTY', 'NETWORK_UNAVAILABLE', 'OPERATION_UNCERTAIN', 'RATE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  })
})

test('every message is a sentence', () => {
  for (const { message } of Object.values(httpErrors)) expect(message).toMatch(/^[A-Z].*\.$/)
})
