import { bob, usdt } from '../money.ts'
import type { Quote } from '../quote/quote.ts'
import { rate } from '../quote/rate.ts'
import { openPayout } from './open-payout.ts'
import type { PayoutStep, ProcessingPayout, SettledPayout } from './payout.ts'
import { settlePayout } from './settle-payout.ts'

export const at: Date = new Date('2026-11-21T12:00:00.000Z')

export const quote: Quote = {
  id: 'q-1',
  tenantId: 'ten_1',
  resolutionId: null,
  rate: rate(98_007n),
  target: bob(10_000n),
  principal: usdt(10_203_353n),
  fee: usdt(51_017n),
  source: usdt(10_254_370n),
  bid: rate(99_500n),
  rateSource: 'fixed',
  createdAt: at,
  expiresAt: at,
}

/** A payout in `processing`, of BOB 100.00. */
export const processing: ProcessingPayout = openPayout(
  {
    id: 'po_1',
    tenantId: 'ten_1',
    transactionId: 'order-1',
    quoteId: 'q-1',
    resolutionId: null,
    keyId: null,
    target: bob(10_000n),
    createdAt: at,
  },
  { quote, qr: { amountMode: 'closed', merchant: { name: 'Doña Elvira', bankCode: '1016' } }, networkRef: 'nr-1' },
).payout

/** The same payout, paid. */
export const completed: PayoutStep<SettledPayout> = settlePayout(
  processing,
  { type: 'paid', amount: processing.target, paymentId: 'pay-1' },
  'afterwards',
  at,
)
