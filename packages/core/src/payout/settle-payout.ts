import type { Transfer } from '../ledger/ledger.ts'
import type { FinalAnswer, NetworkAnswer, PaidAnswer } from '../network/qr-network.ts'
import { notBefore } from '../time.ts'
import { payoutMessages } from './open-payout.ts'
import type { CancelledPayout, ProcessingPayout, SettledPayout, PayoutStep } from './payout.ts'

/** `in_time`: the request that accepted the payout settles it before it answers. `afterwards`: any other settlement. */
export type SettleTiming = 'in_time' | 'afterwards'

/**
 * Whether an answer settles this payout.
 *
 * A payment of another amount or currency than ordered does not: the hold stays until an operator decides.
 */
export const isFinalAnswer = (payout: ProcessingPayout, answer: NetworkAnswer): answer is FinalAnswer =>
  !openAnswers.includes(answer.type) && !isWrongAmount(payout, answer)

const openAnswers: readonly NetworkAnswer['type'][] = ['pending', 'not_seen', 'returned', 'unknown']

/** Whether the network paid another amount or currency than ordered. */
export const isWrongAmount = (payout: ProcessingPayout, answer: NetworkAnswer): answer is PaidAnswer =>
  answer.type === 'paid' && answer.amount?.minor !== payout.target.minor

/**
 * Settles a payout with the network's final answer.
 *
 * Captures the hold when the merchant was paid and releases it otherwise: the tenant is debited exactly
 * `quote.source` or nothing. The parameter's type excludes ended payouts. Only the newest fencing token writes it.
 *
 * A QR refused afterwards ends as `failed`, which has an event: `rejected` has none, and the request has already
 * been answered.
 *
 * @source spec §3 Payout statuses; the timing is assumed
 */
export function settlePayout(
  payout: ProcessingPayout,
  answer: FinalAnswer,
  timing: SettleTiming,
  now: Date,
): PayoutStep<SettledPayout> {
  const at = notBefore(now, payout.createdAt)
  switch (answer.type) {
    case 'paid':
      return {
        payout: { ...payout, status: 'completed', endedAt: at, networkPaymentId: answer.paymentId },
        transfer: transferOf('capture', payout),
        event: 'payout.completed',
      }
    case 'refused_payment':
      return fail(payout, at)
    case 'refused_qr':
      return timing === 'afterwards' ? fail(payout, at) : reject(payout, at)
    case 'no_liquidity':
      return cancel(payout, 'INSUFFICIENT_FUNDS', at)
    case 'limit':
      return cancel(payout, 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', at)
    case 'not_sent':
    case 'cancelled':
      return cancel(payout, 'PAYMENT_CANCELLED', at)
  }
}

const fail = (payout: ProcessingPayout, at: Date): PayoutStep<SettledPayout> => ({
  payout: {
    ...payout,
    status: 'failed',
    error: { code: 'PAYMENT_FAILED', message: payoutMessages.PAYMENT_FAILED },
    endedAt: at,
  },
  transfer: transferOf('release', payout),
  event: 'payout.failed',
})

const reject = (payout: ProcessingPayout, at: Date): PayoutStep<SettledPayout> => ({
  payout: {
    ...payout,
    status: 'rejected',
    error: { code: 'QR_REFUSED', message: payoutMessages.QR_REFUSED },
    endedAt: at,
  },
  transfer: transferOf('release', payout),
  event: null,
})

const cancel = (
  payout: ProcessingPayout,
  code: CancelledPayout['error']['code'],
  at: Date,
): PayoutStep<SettledPayout> => ({
  payout: { ...payout, status: 'cancelled', error: { code, message: payoutMessages[code] }, endedAt: at },
  transfer: transferOf('release', payout),
  event: 'payout.cancelled',
})

const transferOf = (type: Transfer['type'], { quote }: ProcessingPayout): Transfer => ({ type, amount: quote.source })
