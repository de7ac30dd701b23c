import type { RaiseAlert } from '../alert.ts'
import type { EncodeEventOf } from '../event/event.ts'
import type { Payout, PayoutEvent, ProcessingPayout } from './payout.ts'
import { toDecimal } from '../money.ts'
import type { NetworkCall } from '../network/network-call.ts'
import type { NetworkAnswer, PaidAnswer } from '../network/qr-network.ts'
import type { PayoutAlerts } from './alerts.ts'
import { type ContradictionPorts, recordContradiction } from './compare-ended.ts'
import type { ClaimYield, PayoutClaim, PayoutStore } from './ports.ts'
import { recordPayoutStep } from './record-payout-step.ts'
import { isFinalAnswer, isWrongAmount, settlePayout, type SettleTiming } from './settle-payout.ts'

type SettleOrYieldPorts = ContradictionPorts & {
  readonly payouts: Pick<PayoutStore, 'commit' | 'get' | 'yieldClaim'>
  readonly encodeEvent: EncodeEventOf<PayoutEvent>
  readonly raiseAlert: RaiseAlert
}

export type SettleContext = {
  readonly timing: SettleTiming
  readonly alerts: PayoutAlerts
  /** Stored for the next claim when the answer is not final. */
  readonly otherwise: Pick<ClaimYield, 'dueInSeconds' | 'statusCall'>
  /** The calls that `yieldClaim` stores when the answer is not final. */
  readonly calls: readonly NetworkCall[]
  /** The reference that the network gave earlier, other than its reading's. */
  readonly givenRef: string | null
}

/**
 * Settles a payout with the network's answer if the answer is final; otherwise yields the claim.
 *
 * @returns the payout as it now stands: ended, or still in `processing`
 * @throws Unavailable when the outcome of the write is unknown; the claim's lease then expires
 */
export async function settleOrYield(
  ports: SettleOrYieldPorts,
  claim: PayoutClaim,
  payout: ProcessingPayout,
  answer: NetworkAnswer,
  { timing, alerts, otherwise, calls, givenRef }: SettleContext,
): Promise<Payout> {
  raise(alerts, payout, answer)
  const networkRef = 'networkRef' in answer ? answer.networkRef : undefined
  if (!isFinalAnswer(payout, answer)) {
    const left = { ...otherwise, raised: alerts.raised(), calls, networkRef }
    // Safe to ignore: the lease expires, and then the payout is due.
    await ports.payouts.yieldClaim(claim, left).catch(() => false)
    return payout
  }
  const given = networkRef ?? givenRef ?? undefined
  const known = given === undefined ? payout : { ...payout, networkRef: given }
  const step = recordPayoutStep(ports, settlePayout(known, answer, timing, ports.now()))
  const committed = await ports.payouts.commit({ kind: 'settle', step, claim, networkRef: given })
  if (committed === 'committed') return step.payout
  if (typeof committed === 'object') return { ...step.payout, endedAt: committed.redatedTo }

  const current = (await ports.payouts.get(payout.tenantId, payout.id)) ?? payout
  await recordContradiction(ports, current, answer)
  return current
}

function raise(alerts: PayoutAlerts, payout: ProcessingPayout, answer: NetworkAnswer): void {
  if (answer.type === 'not_sent') alerts.raise('ORDER_NOT_SENT', answer.reason)
  if (answer.type === 'unknown' && answer.breach) alerts.raise('UNEXPECTED_ANSWER', answer.reason)
  if (answer.type === 'returned') alerts.raise('UNEXPECTED_ANSWER', 'paid, and the money came back; people decide')
  if (isWrongAmount(payout, answer)) alerts.raise('PAID_WRONG_AMOUNT', amounts(payout, answer))
}

function amounts({ target }: ProcessingPayout, { amount }: PaidAnswer): string {
  const paid = amount === null ? 'another currency' : `BOB ${toDecimal(amount)}`
  return `ordered BOB ${toDecimal(target)}, paid ${paid}; the hold stays until an operator decides`
}
