import type { Payout } from '@quipu/core'
import { instantToJson } from '../json/instant.ts'
import { moneyToJson } from '../json/money-to-json.ts'
import { merchantToJson } from '../quote/merchant-to-json.ts'
import { quoteToJson } from '../quote/quote-to-json.ts'
import type { PayoutJson } from './payout.ts'

/** @source spec §2 Payout: these members, in this order; the last three are beyond it */
export const payoutToJson = (payout: Payout): PayoutJson => ({
  id: payout.id,
  type: 'qr',
  status: payout.status,
  transaction_id: payout.transactionId,
  resolution_id: payout.resolutionId,
  quote: payout.quote && quoteToJson(payout.quote),
  source: payout.status === 'completed' ? moneyToJson(payout.quote.source) : null,
  target: moneyToJson(payout.target),
  qr: payout.qr
    ? { amount_mode: payout.qr.amountMode, merchant: merchantToJson(payout.qr.merchant) }
    : { amount_mode: null, merchant: null },
  error: 'error' in payout ? { code: payout.error.code, message: payout.error.message } : null,
  completed_at: payout.status === 'completed' ? instantToJson(payout.endedAt) : null,
  created_at: instantToJson(payout.createdAt),
  description: payout.description ?? null,
  metadata: payout.metadata ?? {},
  network_payment_id: payout.status === 'completed' ? payout.networkPaymentId : null,
})

/** The JSON text of `payoutToJson`, cached per object: the answer to a new payout repeats the `data` of its event. */
export function payoutText(payout: Payout): string {
  const cached = texts.get(payout)
  if (cached !== undefined) return cached
  const text = JSON.stringify(payoutToJson(payout))
  texts.set(payout, text)
  return text
}

const texts = new WeakMap<Payout, string>()
