import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Balance, postTransfer, type Transfer } from '../ledger/ledger.ts'
import { bob, usdt } from '../money.ts'
import type { FinalAnswer, NetworkAnswer } from '../network/qr-network.ts'
import { rate } from '../quote/rate.ts'
import { cancelPayout, openPayout, rejectPayout } from './open-payout.ts'
import type { CompletedPayout, PayoutDraft, ProcessingPayout, SettledPayout } from './payout.ts'
import { isFinalAnswer, settlePayout, type SettleTiming } from './settle-payout.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const instants = fc.date({ min: new Date(0), max: new Date(2 ** 42), noInvalidDate: true })
const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n })

const opened = fc
  .record({ source: amounts, target: amounts, createdAt: instants, name: fc.string() })
  .map(({ source, target, createdAt, name }) => {
    const draft: PayoutDraft = {
      id: 'po_1',
      tenantId: 'ten_1',
      transactionId: 'order-1',
      quoteId: 'q-1',
      resolutionId: null,
      keyId: null,
      target: bob(target),
      createdAt,
    }
    return openPayout(draft, {
      quote: {
        id: 'q-1',
        tenantId: 'ten_1',
        resolutionId: null,
        rate: rate(98_007n),
        bid: rate(99_500n),
        rateSource: 'fixed',
        target: bob(target),
        principal: usdt(source),
        fee: usdt(0n),
        source: usdt(source),
        createdAt,
        expiresAt: createdAt,
      },
      qr: { amountMode: 'closed', merchant: { name, bankCode: '1001' } },
      networkRef: 'n-1',
    })
  })

const finals = (payout: ProcessingPayout): readonly FinalAnswer[] => [
  { type: 'paid', amount: payout.target, paymentId: 'p-1' },
  { type: 'refused_payment' },
  { type: 'refused_qr' },
  { type: 'no_liquidity' },
  { type: 'limit' },
  { type: 'not_sent', reason: 'connection refused' },
  { type: 'cancelled' },
]
const timings: readonly SettleTiming[] = ['in_time', 'afterwards']

const postAll = (wallet: Balance, transfers: readonly (Transfer | null)[]): Balance =>
  transfers.reduce<Balance>((balance, transfer) => {
    const next = transfer && postTransfer(balance, transfer)
    if (!next) throw new Error(`${transfer?.type} does not fit`)
    return next
  }, wallet)

describe('spec §3: the cost of a settled payout', () => {
  test('is the quote when completed and zero otherwise, and no hold remains', () => {
    fc.assert(
      fc.property(opened, fc.nat(6), fc.constantFrom(...timings), ({ payout, transfer }, n, timing) => {
        const answer = finals(payout)[n] ?? { type: 'cancelled' as const }
        const ended = settlePayout(payout, answer, timing, at)
        const source = payout.quote.source
        const before = { available: source, held: usdt(0n) }
        const wallet = postAll(before, [transfer, ended.transfer])
        expect(wallet.held.minor).toBe(0n)
        const cost = ended.payout.status === 'completed' ? source.minor : 0n
        expect(wallet.available.minor).toBe(source.minor - cost)
      }),
    )
  })
})

describe('spec §3, §7: the outcome of an answer', () => {
  const [sample] = fc.sample(opened, { numRuns: 1, seed: 1 })
  if (!sample) throw new Error('no sample')
  const { payout } = sample
  const ends = (answer: FinalAnswer, timing: SettleTiming): readonly unknown[] => {
    const { payout: ended, event } = settlePayout(payout, answer, timing, at)
    return [ended.status, 'error' in ended ? ended.error.code : null, event]
  }

  test.each<[FinalAnswer['type'], SettleTiming, readonly unknown[]]>([
    ['paid', 'in_time', ['completed', null, 'payout.completed']],
    ['paid', 'afterwards', ['completed', null, 'payout.completed']],
    ['refused_payment', 'in_time', ['failed', 'PAYMENT_FAILED', 'payout.failed']],
    ['refused_payment', 'afterwards', ['failed', 'PAYMENT_FAILED', 'payout.failed']],
    ['refused_qr', 'in_time', ['rejected', 'QR_REFUSED', null]],
    ['refused_qr', 'afterwards', ['failed', 'PAYMENT_FAILED', 'payout.failed']],
    ['no_liquidity', 'in_time', ['cancelled', 'INSUFFICIENT_FUNDS', 'payout.cancelled']],
    ['no_liquidity', 'afterwards', ['cancelled', 'INSUFFICIENT_FUNDS', 'payout.cancelled']],
    ['limit', 'in_time', ['cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', 'payout.cancelled']],
    ['limit', 'afterwards', ['cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', 'payout.cancelled']],
    ['not_sent', 'in_time', ['cancelled', 'PAYMENT_CANCELLED', 'payout.cancelled']],
    ['not_sent', 'afterwards', ['cancelled', 'PAYMENT_CANCELLED', 'payout.cancelled']],
    ['cancelled', 'in_time', ['cancelled', 'PAYMENT_CANCELLED', 'payout.cancelled']],
    ['cancelled', 'afterwards', ['cancelled', 'PAYMENT_CANCELLED', 'payout.cancelled']],
  ])('%s, %s', (type, timing, expected) => {
    const answer = finals(payout).find((candidate) => candidate.type === type)
    if (!answer) throw new Error(type)
    expect(ends(answer, timing)).toEqual(expected)
  })

  test('an answer that is pending, unknown, or of another amount or currency is not final', () => {
    const open: readonly NetworkAnswer[] = [
      { type: 'pending' },
      { type: 'unknown', reason: 'timeout' },
      { type: 'paid', amount: bob(payout.target.minor + 1n), paymentId: null },
      { type: 'paid', amount: bob(payout.target.minor - 1n), paymentId: null },
      { type: 'paid', amount: null, paymentId: null },
    ]
    expect(open.filter((answer) => isFinalAnswer(payout, answer))).toEqual([])
    expect(finals(payout).every((answer) => isFinalAnswer(payout, answer))).toBe(true)
  })

  test('a payout does not end before its creation, also by a clock that is behind', () => {
    fc.assert(
      fc.property(opened, instants, fc.constantFrom(...timings), ({ payout: begun }, now, timing) => {
        for (const answer of finals(begun)) {
          const { endedAt } = settlePayout(begun, answer, timing, now).payout
          expect(endedAt).toEqual(now < begun.createdAt ? begun.createdAt : now)
        }
      }),
    )
  })

  test('an ended payout has no further transitions', () => {
    const { payout: ended } = settlePayout(payout, { type: 'refused_payment' }, 'afterwards', at)
    const refuse = (again: SettledPayout): void => {
      // @ts-expect-error only a payout in processing can be settled
      void (() => settlePayout(again, { type: 'cancelled' }, 'afterwards', at))
    }
    refuse(ended)
    // @ts-expect-error nothing but a completed payout has a network payment id
    const id: CompletedPayout['networkPaymentId'] = ended.networkPaymentId
    expect(id).toBeUndefined()
  })
})

describe('spec §3: payouts that end before they are accepted', () => {
  const draft: PayoutDraft = {
    id: 'po_1',
    tenantId: 'ten_1',
    transactionId: 'order-1',
    quoteId: 'q-1',
    resolutionId: null,
    keyId: null,
    target: bob(100n),
    createdAt: at,
  }

  test('a rejection has neither transfer nor event', () => {
    const { payout, transfer, event } = rejectPayout(draft, at)
    expect({ transfer, event }).toEqual({ transfer: null, event: null })
    expect(payout).toMatchObject({ status: 'rejected', quote: null, qr: null, error: { code: 'QR_REFUSED' } })
  })

  test('a cancellation has no transfer, no quote, and an event', () => {
    const qr = { amountMode: 'open' as const, merchant: { name: 'Tienda', bankCode: '1001' } }
    for (const code of [
      'QUOTE_AMOUNT_MISMATCH',
      'AMOUNT_EXCEEDS_PROVIDER_LIMIT',
      'INSUFFICIENT_BALANCE',
      'QUOTE_EXPIRED',
      'QUOTE_ALREADY_USED',
    ] as const) {
      const { payout, transfer, event } = cancelPayout(draft, qr, code, at)
      expect({ transfer, event }).toEqual({ transfer: null, event: 'payout.cancelled' })
      expect(payout).toMatchObject({ status: 'cancelled', quote: null, qr, error: { code } })
    }
  })
})
