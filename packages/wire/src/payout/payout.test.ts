import type { Payout } from '@quipu/core'
import { cancelPayout, rejectPayout, settlePayout } from '@quipu/core/adapter'
import { anyDraft, anyFinalAnswer, anyPayoutErrorCode, anyPayoutQr, anyProcessingPayout } from '@quipu/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { payout as payoutSchema, payoutErrorCodes } from './payout.ts'
import { payoutText, payoutToJson } from './payout-to-json.ts'

const { payouts, quote } = example
const completed = { ...payouts.completed, networkPaymentId: '9' } as Payout

const completedJson = {
  id: payouts.completed.id,
  type: 'qr',
  status: 'completed',
  transaction_id: 'order-2026-000123',
  resolution_id: example.resolution.id,
  quote: {
    id: '019aa1f4-5108-7000-8000-00000000000a',
    source: { currency: 'USDT', amount: '10.203353' },
    target: { currency: 'BOB', amount: '100.00' },
    rate: '9.8007',
    fee: { currency: 'USDT', amount: '0.000000' },
    expires_at: '2026-11-20T15:04:55.000Z',
  },
  source: { currency: 'USDT', amount: '10.203353' },
  target: { currency: 'BOB', amount: '100.00' },
  qr: { amount_mode: 'closed', merchant: { name: 'Librería Illimani', bank_code: '1016' } },
  error: null,
  completed_at: '2026-11-20T15:04:06.000Z',
  created_at: '2026-11-20T15:04:05.000Z',
  description: null,
  metadata: {},
  network_payment_id: '9',
}

test('spec §2: a completed payout has exactly these members, in this order', () => {
  expect(JSON.stringify(payoutToJson(completed))).toBe(JSON.stringify(completedJson))
})

test('spec §2: a payout in processing has no source, error or completed_at', () => {
  const unpaid = { source: null, completed_at: null, network_payment_id: null }
  expect(payoutToJson(payouts.processing)).toEqual({ ...completedJson, status: 'processing', ...unpaid })
})

test('spec §2: a failed payout shows its quote and error, and no debit', () => {
  expect(payoutToJson(payouts.failed)).toEqual({
    ...completedJson,
    status: 'failed',
    source: null,
    error: { code: 'PAYMENT_FAILED', message: expect.stringMatching(/\.$/) },
    completed_at: null,
    network_payment_id: null,
  })
})

test('spec §2: a payout cancelled for mismatch has no quote and shows the QR’s own amount', () => {
  expect(payoutToJson(payouts.cancelled)).toMatchObject({
    status: 'cancelled',
    quote: null,
    source: null,
    target: { currency: 'BOB', amount: '300.00' },
    error: { code: 'QUOTE_AMOUNT_MISMATCH' },
  })
})

test('an unreadable QR has neither mode nor merchant', () => {
  expect(payoutToJson(payouts.rejected)).toMatchObject({
    status: 'rejected',
    resolution_id: null,
    quote: null,
    qr: { amount_mode: null, merchant: null },
    error: { code: 'QR_REFUSED' },
  })
})

const endings: fc.Arbitrary<Payout> = anyProcessingPayout.chain((payout) =>
  anyFinalAnswer(payout.target).map((answer) => settlePayout(payout, answer, 'in_time', payout.createdAt).payout),
)
const refusals: fc.Arbitrary<Payout> = fc
  .tuple(anyProcessingPayout, anyPayoutQr)
  .chain(([{ quote, createdAt }, qr]) =>
    anyDraft(quote).chain((draft) =>
      fc.constantFrom<Payout>(
        rejectPayout(draft, createdAt).payout,
        cancelPayout(draft, qr, 'INSUFFICIENT_BALANCE', createdAt).payout,
      ),
    ),
  )
const anyPayout = fc.oneof(anyProcessingPayout, endings, refusals)

describe('every payout', () => {
  const names = Object.keys(completedJson)

  test('has the same members in the same order and satisfies the schema', () => {
    fc.assert(
      fc.property(anyPayout, (payout) => {
        const json = payoutToJson(payout)
        expect(Object.keys(json)).toEqual(names)
        expect(payoutSchema.parse(json)).toEqual(json)
      }),
    )
  })

  test('hides the operator’s own members', () => {
    fc.assert(
      fc.property(anyProcessingPayout, (payout) => {
        const text = JSON.stringify(payoutToJson({ ...payout, networkRef: 'SECRET-REFERENCE' }))
        expect(text).not.toContain('SECRET')
        expect(text).not.toContain(payout.tenantId)
      }),
    )
  })
})

test.each<readonly [rule: string, wrong: object]>([
  ['id begins with po_', { id: 'qrr_01KAGZ8M88000000000000000A' }],
  ['resolution_id begins with qrr_', { resolution_id: 'po_01KAGZ8M88000000000000000A' }],
  ['type is qr or bank_transfer', { type: 'card' }],
  ['status is one of five', { status: 'paid' }],
  ['quote.id is a UUID', { quote: { ...completedJson.quote, id: 'q-1' } }],
  ['rate has four fraction digits', { quote: { ...completedJson.quote, rate: '9.80' } }],
  ['fee is USDT', { quote: { ...completedJson.quote, fee: { currency: 'BOB', amount: '0.00' } } }],
  ['source is USDT with six fraction digits', { source: { currency: 'USDT', amount: '10.35' } }],
  ['target is BOB with two fraction digits', { target: { currency: 'BOB', amount: '100' } }],
  ['amounts are strings', { target: { currency: 'BOB', amount: 100 } }],
  ['created_at has milliseconds', { created_at: '2026-11-20T15:04:05Z' }],
  ['completed_at is in UTC', { completed_at: '2026-11-20T11:04:05.006-04:00' }],
])('spec §2: the schema states that %s', (_, wrong) => {
  expect(payoutSchema.safeParse(completedJson).success).toBe(true)
  expect(payoutSchema.safeParse({ ...completedJson, ...wrong }).success).toBe(false)
})

test('spec §7: every error code that a payout can carry is documented', () => {
  expect(payoutErrorCodes).toHaveLength(11)
  fc.assert(
    fc.property(anyPayoutErrorCode, (code) => {
      expect(payoutErrorCodes).toContain(code)
    }),
  )
})

test('the text of a payout is its JSON; a copy has a text of its own', () => {
  fc.assert(
    fc.property(anyProcessingPayout, anyFinalAnswer(quote.target), (processing, answer) => {
      const ended = settlePayout(processing, answer, 'in_time', example.at(0)).payout
      const redated = { ...ended, endedAt: new Date(ended.endedAt.getTime() + 1) }
      for (const each of [processing, ended, ended, redated]) {
        expect(payoutText(each)).toBe(JSON.stringify(payoutToJson(each)))
      }
    }),
  )
})

test('the JSON of a payout is built once, for the event and the answer', () => {
  let reads = 0
  const payout = Object.defineProperty({ ...payouts.failed }, 'id', { get: () => `po_${++reads}` })
  expect(payoutText(payout)).toBe(payoutText(payout))
  expect(reads).toBe(1)
})
