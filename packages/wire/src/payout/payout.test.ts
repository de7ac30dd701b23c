import { bob, type Payout, type Quote, usdt, rate } from '@quipu/core'
import { cancelPayout, type PayoutDraft, openPayout, rejectPayout, settlePayout } from '@quipu/core/adapter'
import { anyDraft, anyFinalAnswer, anyPayoutErrorCode, anyPayoutQr, anyProcessingPayout } from '@quipu/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { payout as payoutSchema, payoutErrorCodes } from './payout.ts'
import { payoutText, payoutToJson } from './payout-to-json.ts'

const at = new Date('2026-11-20T15:04:05.006Z')
const later = new Date('2026-11-20T15:04:06.070Z')

const quote: Quote = {
  id: '019aa1f4-5108-7000-8000-00000000000a',
  tenantId: 'ten_1',
  resolutionId: null,
  rate: rate(98_007n),
  target: bob(100_00n),
  principal: usdt(10_203_353n),
  fee: usdt(151_017n),
  source: usdt(10_354_370n),
  bid: rate(99_500n),
  rateSource: 'fixed',
  createdAt: at,
  expiresAt: new Date('2026-11-20T15:05:05.000Z'),
}
const draft: PayoutDraft = {
  id: 'po_01KAGZ8M88000000000000000A',
  tenantId: 'ten_1',
  transactionId: 'order-1',
  quoteId: quote.id,
  resolutionId: 'qrr_01KAGZ8M88000000000000000B',
  keyId: null,
  target: quote.target,
  createdAt: at,
}
const qr = { amountMode: 'closed', merchant: { name: 'Librería', bankCode: '1016' } } as const
const accepted = openPayout(draft, { quote, qr, networkRef: '123' }).payout
const completed = settlePayout(
  accepted,
  { type: 'paid', amount: quote.target, paymentId: '9' },
  'in_time',
  later,
).payout
const failed = settlePayout(accepted, { type: 'refused_payment' }, 'in_time', later).payout
const mismatch = cancelPayout({ ...draft, target: bob(300_00n) }, qr, 'QUOTE_AMOUNT_MISMATCH', later).payout
const unreadable = rejectPayout({ ...draft, resolutionId: null }, later).payout

const completedJson = {
  id: 'po_01KAGZ8M88000000000000000A',
  type: 'qr',
  status: 'completed',
  transaction_id: 'order-1',
  resolution_id: 'qrr_01KAGZ8M88000000000000000B',
  quote: {
    id: '019aa1f4-5108-7000-8000-00000000000a',
    source: { currency: 'USDT', amount: '10.354370' },
    target: { currency: 'BOB', amount: '100.00' },
    rate: '9.8007',
    fee: { currency: 'USDT', amount: '0.151017' },
    expires_at: '2026-11-20T15:05:05.000Z',
  },
  source: { currency: 'USDT', amount: '10.354370' },
  target: { currency: 'BOB', amount: '100.00' },
  qr: { amount_mode: 'closed', merchant: { name: 'Librería', bank_code: '1016' } },
  error: null,
  completed_at: '2026-11-20T15:04:06.070Z',
  created_at: '2026-11-20T15:04:05.006Z',
  description: null,
  metadata: {},
  network_payment_id: '9',
}

test('spec §2: a completed payout has exactly these members, in this order', () => {
  expect(JSON.stringify(payoutToJson(completed))).toBe(JSON.stringify(completedJson))
})

test('spec §2: a payout in processing has no source, error or completed_at', () => {
  const unpaid = { source: null, completed_at: null, network_payment_id: null }
  expect(payoutToJson(accepted)).toEqual({ ...completedJson, status: 'processing', ...unpaid })
})

test('spec §2: a failed payout shows its quote and error, and no debit', () => {
  expect(payoutToJson(failed)).toEqual({
    ...completedJson,
    status: 'failed',
    source: null,
    error: { code: 'PAYMENT_FAILED', message: expect.stringMatching(/\.$/) },
    completed_at: null,
    network_payment_id: null,
  })
})

test('spec §2: a payout cancelled for mismatch has no quote and shows the QR’s own amount', () => {
  expect(payoutToJson(mismatch)).toMatchObject({
    status: 'cancelled',
    quote: null,
    source: null,
    target: { currency: 'BOB', amount: '300.00' },
    error: { code: 'QUOTE_AMOUNT_MISMATCH' },
  })
})

test('an unreadable QR has neither mode nor merchant', () => {
  expect(payoutToJson(unreadable)).toMatchObject({
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
      const ended = settlePayout(processing, answer, 'in_time', at).payout
      const redated = { ...ended, endedAt: new Date(ended.endedAt.getTime() + 1) }
      for (const each of [processing, ended, ended, redated]) {
        expect(payoutText(each)).toBe(JSON.stringify(payoutToJson(each)))
      }
    }),
  )
})

test('the JSON of a payout is built once, for the event and the answer', () => {
  let reads = 0
  const payout = Object.defineProperty({ ...failed }, 'id', { get: () => `po_${++reads}` })
  expect(payoutText(payout)).toBe(payoutText(payout))
  expect(reads).toBe(1)
})
