import { bob } from '@quipu/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reply } from '@quipu/http-json'
import { cancelAnswer, payAnswer, statusAnswer } from './payment-answer.ts'

const key = { reference: 'po_1', networkRef: 'net_1' }

const payment = {
  reference: 'po_1',
  network_ref: 'net_1',
  outcome: 'paid',
  final: true,
  amount: '100.00',
  currency: 'BOB',
  network_payment_id: 'QN1',
  network_code: '00',
  message: 'Paid.',
  paid_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}
const late = { ...payment, outcome: 'pending', final: false, network_payment_id: null }
const paid = { type: 'paid', amount: bob(10_000n), paymentId: 'QN1' }
const cancelledBody = { reference: 'po_1', network_ref: null, outcome: 'closed_unpaid', final: true }

const answered = (status: number, body: unknown): Reply => ({ type: 'answered', status, body })
const unanswered = { type: 'unknown', reason: expect.any(String) as string }
const breach = { ...unanswered, breach: true }
/** A status from 500 on is no answer; any other unexpected one breaches the contract. */
const unknown = (status: number): object => (status >= 500 ? unanswered : breach)

const readers = { pay: payAnswer, status: statusAnswer, cancel: cancelAnswer }

describe('pay', () => {
  test.each([
    ['a final 200', 200, payment, paid],
    ['a refused payment', 200, { ...payment, outcome: 'refused_payment' }, { type: 'refused_payment' }],
    ['a refused QR', 200, { ...payment, outcome: 'refused_qr' }, { type: 'refused_qr' }],
    ['no liquidity', 200, { ...payment, outcome: 'no_liquidity' }, { type: 'no_liquidity' }],
    ['a limit', 200, { ...payment, outcome: 'limit' }, { type: 'limit' }],
    ['a late 202', 202, late, { type: 'pending' }],
    ['409 CLOSED', 409, { code: 'CLOSED', message: '' }, { type: 'cancelled' }],
    ['400 with a code', 400, { code: 'BAD_REQUEST' }, { type: 'not_sent', reason: 'BAD_REQUEST' }],
  ])('%s', (_name, status, body, expected) => {
    expect(payAnswer(answered(status, body), key)).toEqual(expected)
  })

  test('REFERENCE_REUSED is in the reason', () => {
    expect(payAnswer(answered(409, { code: 'REFERENCE_REUSED' }), key)).toEqual({
      type: 'unknown',
      reason: 'status 409, REFERENCE_REUSED',
      breach: true,
    })
  })

  test.each([
    ['another currency', { ...payment, currency: 'USD' }],
    ['no currency', { ...payment, currency: undefined }],
    ['an amount that is a JSON number', { ...payment, amount: 100 }],
    ['an amount with a comma', { ...payment, amount: '100,00' }],
    ['an amount with three fraction digits', { ...payment, amount: '100.000' }],
    ['a negative amount', { ...payment, amount: '-100.00' }],
    ['no amount', { ...payment, amount: null }],
  ])('paid with %s is paid with an unknown amount', (_name, body) => {
    expect(payAnswer(answered(200, body), key)).toEqual({ ...paid, amount: null })
  })

  test.each([
    ['a late 200', 200, late],
    ['a final 202', 202, payment],
    ['a 202 that is late and final', 202, { ...late, final: true }],
    ['a 200 that is paid and not final', 200, { ...payment, final: false }],
    ['a 202 that is paid and not final', 202, { ...payment, final: false }],
    ['closed_unpaid with 200 instead of 409', 200, cancelledBody],
    ['a new outcome', 200, { ...payment, outcome: 'returned' }],
    ['no outcome', 200, { ...payment, outcome: undefined }],
    ['an outcome of ours', 200, { ...payment, outcome: 'not_sent' }],
    ['another reference', 200, { ...payment, reference: 'po_2' }],
    ['another network_ref', 200, { ...payment, network_ref: 'net_2' }],
    ['no network_ref', 200, { ...payment, network_ref: null }],
    ['a final that is a string', 200, { ...payment, final: 'true' }],
    ['a payment id that is a number', 200, { ...payment, network_payment_id: 7 }],
    ['a payment id that PostgreSQL cannot store', 200, { ...payment, network_payment_id: 'Q\0' }],
    ['a list', 200, [payment]],
    ['null', 200, null],
    ['no JSON', 200, undefined],
    ['201', 201, payment],
    ['204', 204, undefined],
    ['206', 206, payment],
    ['301', 301, payment],
    ['302', 302, undefined],
    ['304', 304, undefined],
    ['307', 307, payment],
    ['308', 308, payment],
    ['400 without a code', 400, undefined],
    ['400 of a gateway', 400, { error: 'bad request' }],
    ['401', 401, { code: 'UNAUTHORIZED' }],
    ['403', 403, { code: 'FORBIDDEN' }],
    ['404 NOT_SEEN', 404, { code: 'NOT_SEEN' }],
    ['408', 408, undefined],
    ['409 without a code', 409, undefined],
    ['409 with a new code', 409, { code: 'CLOSING' }],
    ['409 with a payment', 409, payment],
    ['422', 422, { code: 'QR_USED' }],
    ['429', 429, { code: 'RATE_LIMITED' }],
    ['500 with a payment', 500, payment],
    ['502', 502, undefined],
    ['503', 503, { code: 'CLOSED' }],
    ['504', 504, undefined],
    ['200 with the code CLOSED', 200, { code: 'CLOSED' }],
  ])('%s is unknown', (_name, status, body) => {
    expect(payAnswer(answered(status, body), key)).toEqual(unknown(status))
  })

  test('an order that was not sent is not_sent; one that may have arrived is unknown', () => {
    const reason = 'ECONNREFUSED'
    expect(payAnswer({ type: 'not_sent', reason }, key)).toEqual({ type: 'not_sent', reason })
    expect(payAnswer({ type: 'lost', reason }, key)).toEqual({ type: 'unknown', reason })
  })
})

describe('status and cancel', () => {
  test.each([
    ['a payment that ended', payment, paid],
    ['a payment under way', late, { type: 'pending' }],
    ['a closed reference', cancelledBody, { type: 'cancelled' }],
    ['a cancelled reference with its network_ref', { ...cancelledBody, network_ref: 'net_1' }, { type: 'cancelled' }],
    ['a cancelled reference without other members', { outcome: 'closed_unpaid' }, { type: 'cancelled' }],
  ])('200 with %s is its answer', (_name, body, expected) => {
    expect(statusAnswer(answered(200, body), key)).toEqual(expected)
    expect(cancelAnswer(answered(200, body), key)).toEqual(expected)
  })

  test.each([
    ['another cancelled reference', 200, { ...cancelledBody, reference: 'po_2' }],
    ['a cancelled reference with another network_ref', 200, { ...cancelledBody, network_ref: 'net_2' }],
    ['a cancelled reference that is not final', 200, { ...cancelledBody, final: false }],
    ['a late payment that is final', 200, { ...late, final: true }],
    ['a payment of another reference', 200, { ...payment, reference: 'po_2' }],
    ['a 202', 202, late],
    ['404 of a gateway', 404, undefined],
    ['404 with another code', 404, { code: 'NOT_FOUND' }],
    ['409 CLOSED', 409, { code: 'CLOSED' }],
    ['400', 400, { code: 'BAD_REQUEST' }],
    ['a 500', 500, payment],
  ])('%s is unknown', (_name, status, body) => {
    expect(statusAnswer(answered(status, body), key)).toEqual(unknown(status))
    expect(cancelAnswer(answered(status, body), key)).toEqual(unknown(status))
  })

  test('404 NOT_SEEN is not_seen for status and unknown for cancel', () => {
    const reply = answered(404, { code: 'NOT_SEEN', message: '' })
    expect(statusAnswer(reply, key)).toEqual({ type: 'not_seen' })
    expect(cancelAnswer(reply, key)).toEqual(breach)
  })

  test('a status request that was not sent is unknown, because it proves nothing about the payment', () => {
    const reply: Reply = { type: 'not_sent', reason: 'ECONNREFUSED' }
    expect(statusAnswer(reply, key)).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
    expect(cancelAnswer(reply, key)).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
  })
})

const status = fc.oneof(fc.constantFrom(200, 200, 200, 202, 400, 404, 409, 500), fc.integer({ min: 100, max: 999 }))
const outcome = fc.constantFrom('paid', 'refused_payment', 'limit', 'pending', 'closed_unpaid', 'new')
/** A payment in which any member can be invalid. */
const almost = fc.record(
  Object.fromEntries(
    Object.entries(payment).map(([name, value]) => [
      name,
      fc.oneof(
        { weight: 15, arbitrary: name === 'outcome' ? outcome : fc.constant<unknown>(value) },
        { weight: 1, arbitrary: fc.oneof(fc.constant(undefined), fc.jsonValue()) },
      ),
    ]),
  ),
)
const body = fc.oneof({ weight: 3, arbitrary: almost }, fc.anything(), fc.jsonValue())
const ours = { reference: key.reference, network_ref: key.networkRef, final: true }

test.each(Object.entries(readers))(
  '%s: only a complete answer about this payment is final, and invalid ones never throw',
  (_name, reader) => {
    const finals = new Set<string>()
    fc.assert(
      fc.property(status, body, (status, body) => {
        const { type } = reader(answered(status, body), key)
        if (type === 'unknown' || type === 'pending' || type === 'not_seen') return
        finals.add(type)
        if (type === 'not_sent') expect(status).toBe(400)
        else if (type === 'cancelled') expect([200, 409]).toContain(status)
        else {
          expect(status).toBe(200)
          expect(body).toMatchObject({ ...ours, outcome: type })
        }
      }),
      { numRuns: 1000 },
    )
    expect(finals).toContain('paid')
    expect(finals).toContain('refused_payment')
  },
)

test('a long code is cut between characters, so that the reason can be stored', () => {
  const code = `${'x'.repeat(63)}😀x`
  for (const read of Object.values(readers))
    expect(read(answered(500, { code }), key)).toEqual({ type: 'unknown', reason: `status 500, ${'x'.repeat(63)}😀` })
})
