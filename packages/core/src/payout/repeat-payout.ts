import type { Tenant } from '../tenant/tenant.ts'
import type { Deadline, Timer } from '../time.ts'
import { type PayoutAnswer, refusePayout } from './payout-answer.ts'
import type { StoredPayout, PayoutStore } from './ports.ts'

type RepeatPorts = { readonly payouts: Pick<PayoutStore, 'find'>; readonly timer: Timer }

type Repeated = { readonly transactionId: string; readonly fingerprint: string }

/**
 * Answers a repeated request with the payout as it is now.
 *
 * While the first request is still at it (its lease lives and its time to answer has not passed),
 * the second waits for the same outcome, and no longer than until its own deadline.
 */
export const repeatPayout =
  (
    { payouts, timer }: RepeatPorts,
    answerWithinMs: number,
    tenant: Tenant,
    { transactionId, fingerprint }: Repeated,
    deadline: Deadline,
  ) =>
  async (first: StoredPayout): Promise<PayoutAnswer> => {
    if (first.fingerprint !== fingerprint)
      return refusePayout('TRANSACTION_ID_REUSED', first.payout.id)
    let known = first
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 250)) {
      const { payout, leased, ageMs } = known
      const left = Math.min(answerWithinMs - ageMs, deadline.leftMs())
      if (payout.status !== 'processing' || !leased || left <= 0) {
        return { type: 'payout', payout, replayed: true }
      }
      await timer(Math.min(pauseMs, left)).done
      known = (await payouts.find(tenant.id, transactionId)) ?? known
    }
  }
