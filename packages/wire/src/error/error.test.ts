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

test('a code of something that does not exist is a 404, and no other', () => {
  for (const [code, { status }] of Object.entries(httpErrors))
    expect(status === 404, code).toBe(code.endsWith('NOT_FOUND'))
})
