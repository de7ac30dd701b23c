import type { EncodeEvent } from '../event/event.ts'
import type { Ids } from '../ids.ts'
import type { FinalAnswer } from '../network/qr-network.ts'
import type { SettlePayout } from '../proposal/action.ts'
import type { Clock } from '../time.ts'
import type { PayoutDecisionStore, SettlementAuthor } from './decision-ports.ts'
import type { PayoutStep, ProcessingPayout, SettledPayout } from './payout.ts'
import { recordPayoutStep } from './record-payout-step.ts'
import { settlePayout } from './settle-payout.ts'

/** The ports of `decidePayout`. */
export type DecidePayoutPorts = {
  readonly payoutDecisions: Pick<PayoutDecisionStore, 'find' | 'settle'>
  readonly encodeEvent: EncodeEvent
  readonly ids: Ids
  readonly now: Clock
}

/**
 * Settles a payout in `processing` as an approved proposal says. The event is that of any settlement.
 *
 * @returns `already_ended` when the network's answer, or another proposal, settled it first
 */
export async function decidePayout(
  ports: DecidePayoutPorts,
  action: SettlePayout,
  author: SettlementAuthor,
): Promise<'settled' | 'already_ended' | 'not_approved'> {
  const found = await ports.payoutDecisions.find(action.payoutId)
  if (found?.payout.status !== 'processing') return 'already_ended'
  const step = recordPayoutStep(ports, decidedStep(found.payout, action, ports.now()))
  const result = await ports.payoutDecisions.settle({ step, action, ...author })
  if (result === 'not_approved') return result
  return result === 'committed' ? 'settled' : 'already_ended'
}

/** The settlement that people decided. The tenant is debited exactly `quote.source` or nothing. */
export const decidedStep = (
  payout: ProcessingPayout,
  decision: SettlePayout,
  now: Date,
): PayoutStep<SettledPayout> => settlePayout(payout, answerOf(decision), 'late', now)

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
