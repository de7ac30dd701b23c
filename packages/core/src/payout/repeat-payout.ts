import type { Tenant } from '../tenant/tenant.ts'
import type { Deadline, Timer } from '../time.ts'
import { type PayoutAnswer, refusePayout } from './payout-request.ts'
import type { PayoutStore, StoredPayout } from './ports.ts'

type RepeatedCall = {
  readonly ports: { readonly payouts: Pick<PayoutStore, 'find'>; readonly timer: Timer }
  readonly settings: { readonly answerWithinMs: number }
  readonly tenant: Tenant
  readonly request: { readonly transactionId: string; readonly fingerprint: string }
  readonly deadline: Deadline
}

/**
 * Answers a repeated request with the payout as it is now.
 *
 * While the first request may still answer (its lease is alive and its time to answer has not passed),
 * the repeated one polls for the outcome, until its own deadline at the latest.
 */
export async function repeatPayout(
  { ports, settings, tenant, request, deadline }: RepeatedCall,
  first: StoredPayout,
): Promise<PayoutAnswer> {
  if (first.fingerprint !== request.fingerprint) return refusePayout('TRANSACTION_ID_REUSED', first.payout.id)
  let stored = first
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const { payout, leased, ageMs } = stored
    const left = Math.min(settings.answerWithinMs - ageMs, deadline.leftMs())
    if (payout.status !== 'processing' || !leased || left <= 0) {
      return { type: 'payout', payout, replayed: true }
    }
    await ports.timer(Math.min(pauseMs, left)).done
    stored = (await ports.payouts.find(tenant.id, request.transactionId)) ?? stored
  }
}
