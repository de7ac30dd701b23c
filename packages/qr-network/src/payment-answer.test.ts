import { bob } from '@quipu/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reply } from './json-client.ts'
import { closeAnswer, payAnswer, statusAnswer } from './payment-answer.ts'

const asked = { reference: 'po_1', networkRef: 'net_1' }

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
const late = { ...payment, outcome: 'late', final: false, network_payment_id: null }
const paid = { type: 'paid', amount: bob(10_000n), paymentId: 'QN1' }
const tombstone = { reference: 'po_1', network_ref: null, outcome: 'closed_unpaid', final: true }

const answered = (status: number, body: unknown): Reply => ({ type: 'answered', status, body })
const unanswered = { type: 'unknown', reason: expect.any(String) as string }
const breach = { ...unanswered, breach: true }
/** A status of 500 and above is no answer; every other is one against what was agreed. */
const unknown = (status: number): object => (status >= 500 ? unanswered : breach)

const readers = { pay: payAnswer, status: statusAnswer, close: closeAnswer }

describe('pay', () => {
  test.each([
    ['a final 200', 200, payment, paid],
    [
      'a refused payment',
      200,
      { ...payment, outcome: 'refused_payment' },
      { type: 'refused_payment' },
    ],
    ['a refused QR', 200, { ...payment, outcome: 'refused_qr' }, { type: 'refused_qr' }],
    ['no liquidity', 200, { ...payment, outcome: 'no_liquidity' }, { type: 'no_liquidity' }],
    ['a limit', 200, { ...payment, outcome: 'limit' }, { type: 'limit' }],
    ['a late 202', 202, late, { type: 'late' }],
    ['409 CLOSED', 409, { code: 'CLOSED', message: '' }, { type: 'cancelled' }],
    ['400 with a code', 400, { code: 'BAD_REQUEST' }, { type: 'not_sent', reason: 'BAD_REQUEST' }],
  ])('%s means what was agreed', (_name, status, body, expected) => {
    expect(payAnswer(answered(status, body), asked)).toEqual(expected)
  })

  test('a reference reused says so, for a person to look', () => {
    expect(payAnswer(answered(409, { code: 'REFERENCE_REUSED' }), asked)).toEqual({
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
  ])('paid with %s is paid, of an amount that nobody knows', (_name, body) => {
    expect(payAnswer(answered(200, body), asked)).toEqual({ ...paid, amount: null })
  })

  test.each([
    ['a late 200', 200, late],
    ['a final 202', 202, payment],
    ['a 202 that is late and final', 202, { ...late, final: true }],
    ['a 200 that is paid and not final', 200, { ...payment, final: false }],
    ['a 202 that is paid and not final', 202, { ...payment, final: false }],
    ['closed_unpaid by 200, which only 409 may say', 200, tombstone],
    ['a new outcome', 200, { ...payment, outcome: 'returned' }],
    ['no outcome', 200, { ...payment, outcome: undefined }],
    ['an outcome of ours', 200, { ...payment, outcome: 'not_sent' }],
    ['another reference', 200, { ...payment, reference: 'po_2' }],
    ['another network_ref', 200, { ...payment, network_ref: 'net_2' }],
    ['no network_ref', 200, { ...payment, network_ref: null }],
    ['a final that is text', 200, { ...payment, final: 'true' }],
    ['a payment id that is a number', 200, { ...payment, network_payment_id: 7 }],
    ['a payment id that no database keeps', 200, { ...payment, network_payment_id: 'Q\0' }],
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
    expect(payAnswer(answered(status, body), asked)).toEqual(unknown(status))
  })

  test('an order that was never sent is not_sent; one that may have arrived is unknown', () => {
    const reason = 'ECONNREFUSED'
    expect(payAnswer({ type: 'not_sent', reason }, asked)).toEqual({ type: 'not_sent', reason })
    expect(payAnswer({ type: 'lost', reason }, asked)).toEqual({ type: 'unknown', reason })
  })
})

describe('status and close', () => {
  test.each([
    ['a payment that ended', payment, paid],
    ['a payment under way', late, { type: 'late' }],
    ['a closed reference', tombstone, { type: 'cancelled' }],
    [
      'a closed reference with its reading',
      { ...tombstone, network_ref: 'net_1' },
      { type: 'cancelled' },
    ],
    ['a tombstone that says no more', { outcome: 'closed_unpaid' }, { type: 'cancelled' }],
  ])('200 with %s is its answer', (_name, body, expected) => {
    expect(statusAnswer(answered(200, body), asked)).toEqual(expected)
    expect(closeAnswer(answered(200, body), asked)).toEqual(expected)
  })

  test.each([
    ['a tombstone of another reference', 200, { ...tombstone, reference: 'po_2' }],
    ['a tombstone of another reading', 200, { ...tombstone, network_ref: 'net_2' }],
    ['a tombstone that is not final', 200, { ...tombstone, final: false }],
    ['a late one that is final', 200, { ...late, final: true }],
    ['a payment of another reference', 200, { ...payment, reference: 'po_2' }],
    ['a 202', 202, late],
    ['404 of a gateway', 404, undefined],
    ['404 with another code', 404, { code: 'NOT_FOUND' }],
    ['409 CLOSED', 409, { code: 'CLOSED' }],
    ['400', 400, { code: 'BAD_REQUEST' }],
    ['a 500', 500, payment],
  ])('%s is unknown', (_name, status, body) => {
    expect(statusAnswer(answered(status, body), asked)).toEqual(unknown(status))
    expect(closeAnswer(answered(status, body), asked)).toEqual(unknown(status))
  })

  test('404 NOT_SEEN is not_seen to a status and unknown to a close', () => {
    const reply = answered(404, { code: 'NOT_SEEN', message: '' })
    expect(statusAnswer(reply, asked)).toEqual({ type: 'not_seen' })
    expect(closeAnswer(reply, asked)).toEqual(breach)
  })

  test('a question that was never sent is unknown: it proves nothing about the payment', () => {
    const reply: Reply = { type: 'not_sent', reason: 'ECONNREFUSED' }
    expect(statusAnswer(reply, asked)).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
    expect(closeAnswer(reply, asked)).toEqual({ type: 'unknown', reason: 'ECONNREFUSED' })
  })
})

const status = fc.oneof(
  fc.constantFrom(200, 200, 200, 202, 400, 404, 409, 500),
  fc.integer({ min: 100, max: 999 }),
)
const outcome = fc.constantFrom('paid', 'refused_payment', 'limit', 'late', 'closed_unpaid', 'new')
/** A payment in which each member may be wrong. */
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
const ours = { reference: asked.reference, network_ref: asked.networkRef, final: true }

test.each(Object.entries(readers))(
  '%s: nothing but a whole answer about this very payment is final, and junk never throws',
  (_name, reader) => {
    const finals = new Set<string>()
    fc.assert(
      fc.property(status, body, (status, body) => {
        const { type } = reader(answered(status, body), asked)
        if (type === 'unknown' || type === 'late' || type === 'not_seen') return
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
