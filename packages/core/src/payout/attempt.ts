import type { NetworkAnswer, PaymentOrder, QrNetwork } from '../network/qr-network.ts'
import { type Timer, within } from '../time.ts'
import { payoutAlerts } from './alerts.ts'
import { conclude, type ConcludePorts } from './conclude.ts'
import type { Payout, ProcessingPayout } from './payout.ts'
import { type Claim, ownerClaim, type PayoutStore } from './ports.ts'
import { askDelaySeconds } from './schedule.ts'

export type AttemptPorts = ConcludePorts & {
  readonly payouts: ConcludePorts['payouts'] & Pick<PayoutStore, 'renew'>
  readonly network: Pick<QrNetwork, 'pay'>
  readonly timer: Timer
  /** Takes work that goes on after the answer; a host waits for it before it stops. Must not throw. */
  readonly inBackground: (work: Promise<unknown>) => void
}

export type Lease = { readonly leaseSeconds: number; readonly renewEveryMs: number }

/**
 * Pays an applied payout, once, and settles it.
 *
 * The owner's lease is renewed while the call is open. When the network has not answered by
 * `answerBy`, the answer is `processing` and the call runs on in the background to its own deadline.
 *
 * @throws Unavailable when the outcome could not be recorded; a worker will find it out
 */
export async function attempt(
  ports: AttemptPorts,
  lease: Lease,
  payout: ProcessingPayout,
  order: PaymentOrder,
  answerBy: Date,
): Promise<Payout> {
  const claim = ownerClaim(payout)
  const alerts = payoutAlerts(ports.alarm, payout, {})
  const how = { alerts, release: { dueInSeconds: askDelaySeconds(0) } }
  const call = ports.network.pay(order)
  const answer = await answered(ports, lease, claim, call, answerBy)
  if (answer) return conclude(ports, claim, payout, answer, { ...how, timing: 'in_time' })

  const finish = async (): Promise<void> => {
    const late = (await answered(ports, lease, claim, call)) ?? (await call)
    await conclude(ports, claim, payout, late, { ...how, timing: 'late' })
  }
  ports.inBackground(finish())
  return payout
}

/** Waits for the answer with the lease kept alive; undefined when `until` comes first. */
async function answered(
  { payouts, timer, now }: Pick<AttemptPorts, 'payouts' | 'timer' | 'now'>,
  { leaseSeconds, renewEveryMs }: Lease,
  claim: Claim,
  call: Promise<NetworkAnswer>,
  until?: Date,
): Promise<NetworkAnswer | undefined> {
  for (;;) {
    const left = until ? until.getTime() - now().getTime() : renewEveryMs
    if (left <= 0) return undefined
    const answer = await within(timer, Math.min(left, renewEveryMs), call)
    if (answer) return answer
    // A lease that could not be renewed shows when the payout is settled: the fence has moved on.
    payouts.renew(claim, leaseSeconds).catch(() => false)
  }
}
