import type { EncodeEventOf } from '../event/event.ts'
import type { PayoutEvent, PayoutStep, ProcessingPayout, SettledPayout } from './payout.ts'
import type { Ids } from '../ids.ts'
import { paymentText } from '../network/network-call.ts'
import type { FinalAnswer } from '../network/qr-network.ts'
import type { SettlePayout } from '../proposal/action.ts'
import type { Clock } from '../time.ts'
import type { PayoutDecisionStore, SettlementAuthor } from './decision-ports.ts'
import { recordPayoutStep } from './record-payout-step.ts'
import { settlePayout } from './settle-payout.ts'

/** The ports of `decidePayout`. */
export type DecidePayoutPorts = {
  readonly payoutDecisions: Pick<PayoutDecisionStore, 'find' | 'settle'>
  readonly encodeEvent: EncodeEventOf<PayoutEvent>
  readonly ids: Ids
  readonly now: Clock
}

/**
 * Settles a payout in `processing` as an approved proposal says. The event is that of any settlement.
 *
 * @returns `already_ended` when the network's answer, or another proposal, settled it first; `contradicts_network`
 *   when the network has answered another payment since, and the proposal does not say so
 */
export async function decidePayout(
  ports: DecidePayoutPorts,
  action: SettlePayout,
  author: SettlementAuthor,
): Promise<'settled' | 'already_ended' | 'not_approved' | 'contradicts_network'> {
  const found = await ports.payoutDecisions.find(action.payoutId)
  if (found?.payout.status !== 'processing') return 'already_ended'
  if (!action.contradictsNetwork && contradictsPayment(action, found.networkPaid)) return 'contradicts_network'
  const step = recordPayoutStep(ports, decidedStep(found.payout, action, ports.now()))
  const result = await ports.payoutDecisions.settle({ step, action, ...author })
  if (result === 'not_approved') return result
  return result === 'committed' ? 'settled' : 'already_ended'
}

/** The settlement that people decided. The tenant is debited exactly `quote.source` or nothing. */
export const decidedStep = (payout: ProcessingPayout, decision: SettlePayout, now: Date): PayoutStep<SettledPayout> =>
  settlePayout(payout, answerOf(decision), 'afterwards', now)

function answerOf({ outcome, paid, networkPaymentId }: SettlePayout): FinalAnswer {
  switch (outcome) {
    case 'completed':
      return { type: 'paid', amount: paid, paymentId: networkPaymentId }
    case 'failed':
      return { type: 'refused_payment' }
    case 'cancelled':
      return { type: 'cancelled' }
  }
}

/**
 * Whether a settlement is another one than the payment that the network answered: no payment, another amount, or
 * another id. A settlement may leave the id out.
 *
 * @param networkPaid  `UndecidedPayout.networkPaid`
 */
export function contradictsPayment(
  { outcome, paid: amount, networkPaymentId: paymentId }: SettlePayout,
  networkPaid: string | null,
): boolean {
  if (networkPaid === null) return false
  if (outcome !== 'completed' || amount === null) return true
  const text = paymentText({ amount, paymentId })
  return networkPaid !== text && !(paymentId === null && networkPaid.startsWith(`${text}, payment `))
}
