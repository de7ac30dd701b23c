import type { RaiseAlert } from '../alert.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { EncodeEventOf } from '../event/event.ts'
import type { PayoutEvent } from './payout.ts'
import type { Ids } from '../ids.ts'
import { startCall } from '../network/network-call.ts'
import type { NetworkAnswer, PaymentOrder, QrNetwork } from '../network/qr-network.ts'
import { type Clock, type Deadline, type Monotonic, type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { payoutAlerts } from './alerts.ts'
import type { Payout, ProcessingPayout } from './payout.ts'
import { ownerClaim, type PayoutClaim, type PayoutStore } from './ports.ts'
import { statusDelaySeconds } from './schedule.ts'
import { settleOrYield } from './settle-or-yield.ts'
import { isFinalAnswer, type SettleTiming } from './settle-payout.ts'

type SubmitPaymentPorts = {
  readonly payouts: Pick<PayoutStore, 'commit' | 'get' | 'renew' | 'yieldClaim'>
  readonly network: Pick<QrNetwork, 'pay'>
  readonly encodeEvent: EncodeEventOf<PayoutEvent>
  readonly ids: Ids
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly timer: Timer
  readonly raiseAlert: RaiseAlert
  readonly differences: Pick<DifferenceStore, 'record'>
  readonly inBackground: (work: Promise<unknown>) => void
}

type LeaseSettings = { readonly leaseSeconds: number; readonly renewEveryMs: number }

/** When the caller stops waiting, and when the commit that began the lease was sent. */
type Accepted = { readonly deadline: Deadline; readonly sentAtMs: number }

/**
 * Queries the network to pay an accepted payout, once, and settles it with the answer.
 *
 * The owner's lease is renewed while the call is open. When the network has not answered by the deadline, the result is
 * the payout in `processing`, and the call runs on in the background until the adapter's own deadline.
 *
 * @returns undefined, with no call to the network, when the commit outlived the lease and a worker has claimed the
 *   payout
 * @throws Unavailable when the deadline has passed: the network is not called, and a worker cancels the payout. Also
 *   when the outcome could not be recorded: a worker settles the payout
 */
export async function submitPayment(
  ports: SubmitPaymentPorts,
  lease: LeaseSettings,
  payout: ProcessingPayout,
  order: PaymentOrder,
  { deadline, sentAtMs }: Accepted,
): Promise<Payout | undefined> {
  const claim = ownerClaim(payout)
  if (deadline.leftMs() <= 0) {
    // Safe to ignore: the lease expires.
    await ports.payouts.yieldClaim(claim, { dueInSeconds: 0, raised: {}, calls: [] }).catch(() => false)
    throw new Unavailable('store', 'no time was left to pay; a worker cancels the payout')
  }
  const isLate = ports.monotonic() - sentAtMs > lease.renewEveryMs
  if (isLate && !(await ports.payouts.renew(claim, lease.leaseSeconds))) return undefined

  const alerts = payoutAlerts(ports.raiseAlert, payout, {})
  const record = startCall(ports, 'pay', byRequest)
  const settle = (paid: NetworkAnswer, timing: SettleTiming): Promise<Payout> => {
    const calls = isFinalAnswer(payout, paid) ? [] : [record(paid)]
    const otherwise = { dueInSeconds: statusDelaySeconds(0) }
    return settleOrYield(ports, claim, payout, paid, { timing, alerts, otherwise, calls })
  }
  const call = ports.network.pay(order)
  const answer = await answered(ports, lease, claim, call, deadline)
  if (answer) return settle(answer, 'in_time')

  const settleAfterwards = async (): Promise<void> => {
    await settle((await answered(ports, lease, claim, call)) ?? (await call), 'afterwards')
  }
  ports.inBackground(settleAfterwards())
  return payout
}

const byRequest = { queriedBy: 'request', actor: null } as const

/** Waits for the answer and renews the lease meanwhile; undefined when the deadline passes first. */
async function answered(
  { payouts, timer }: Pick<SubmitPaymentPorts, 'payouts' | 'timer'>,
  { leaseSeconds, renewEveryMs }: LeaseSettings,
  claim: PayoutClaim,
  call: Promise<NetworkAnswer>,
  deadline?: Deadline,
): Promise<NetworkAnswer | undefined> {
  for (;;) {
    const left = deadline?.leftMs() ?? renewEveryMs
    if (left <= 0) return undefined
    const answer = await withTimeout(timer, Math.min(left, renewEveryMs), call)
    if (answer) return answer
    // Safe to ignore: if another claim exists by now, settling with this fencing token is `stale`.
    payouts.renew(claim, leaseSeconds).catch(() => false)
  }
}
