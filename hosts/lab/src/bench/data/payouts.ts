import { rate } from '@quipu/core'
import { openPayout, type PayoutEvent, type ProcessingPayout, settlePayout, type PayoutStep } from '@quipu/core/adapter'
import { systemIds } from '@quipu/core/system'
import { type BenchQuote, source, target } from './tenants-and-quotes.ts'

/** Opens a payout, as the core does. */
export function openedPayout({ tenant, quoteId }: BenchQuote): PayoutStep<ProcessingPayout, null> {
  const createdAt = new Date()
  const id = systemIds.next('po', createdAt)
  const draft = {
    id,
    tenantId: tenant.id,
    transactionId: id,
    quoteId,
    resolutionId: null,
    keyId: null,
    target,
    createdAt,
  }
  const quote = {
    id: quoteId,
    tenantId: tenant.id,
    resolutionId: null,
    rate: rate(98_007n),
    bid: rate(99_500n),
    rateSource: 'fixed',
    target,
    principal: source,
    fee: { currency: 'USDT' as const, minor: 0n },
    source,
    createdAt,
    expiresAt: createdAt,
  }
  const merchant = { name: 'Bench', bankCode: '1001' }
  return openPayout(draft, { quote, qr: { amountMode: 'closed', merchant }, networkRef: 'bench' })
}

/** Settles it as completed, as the core does. */
export const settledPayout = (payout: ProcessingPayout): ReturnType<typeof settlePayout> =>
  settlePayout(payout, { type: 'paid', amount: target, paymentId: payout.id }, 'in_time', new Date())

/** The event of a completed payout. */
export function completedPayout(quoteId: string): PayoutEvent {
  const tenant = { id: 'ten_bench', apiKey: '' }
  const { payout } = settledPayout(openedPayout({ tenant, quoteId }).payout)
  const at = payout.endedAt
  const about = { id: systemIds.uuid(at), tenantId: tenant.id, data: payout }
  return { ...about, type: 'payout.completed', occurredAt: at, recordedAt: at }
}
