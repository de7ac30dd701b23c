import type { NetworkAnswer, PaymentOrder, QrNetwork } from '../network/qr-network.ts'
import { type Deadline, type Monotonic, type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { payoutAlerts } from './alerts.ts'
import { settleOrYield, type SettleOrYieldPorts } from './settle-or-yield.ts'
import type { Payout, ProcessingPayout } from './payout.ts'
import { type PayoutClaim, ownerClaim, type PayoutStore } from './ports.ts'
import { statusDelaySeconds } from './schedule.ts'

export type SubmitPaymentPorts = SettleOrYieldPorts & {
  readonly payouts: SettleOrYieldPorts['payouts'] & Pick<PayoutStore, 'renew'>
  readonly network: Pick<QrNetwork, 'pay'>
  readonly timer: Timer
  readonly monotonic: Monotonic
  /** Takes work that goes on after the answer; a host waits for it before it stops. Must not throw. */
  readonly inBackground: (work: Promise<unknown>) => void
}

export type Lease = { readonly leaseSeconds: number; readonly renewEveryMs: number }

/** When the caller stops waiting, and when the commit was sent that began the lease. */
export type Applied = { readonly deadline: Deadline; readonly sentAtMs: number }

/**
 * Has the network pay an applied payout, once, and settles it.
 *
 * The owner's lease is renewed while the call is open. When the network has not answered by
 * the deadline, the answer is `processing` and the call runs on in the background to its own deadline.
 *
 * @returns undefined when the commit outlived the lease and a worker has claimed the payout: nothing is
 *   submitted
 * @throws Unavailable when the deadline has passed, and nothing is submitted; or when the outcome could
 *   not be recorded. A worker finds out how the payout ends
 */
export async function submitPayment(
  ports: SubmitPaymentPorts,
  lease: Lease,
  payout: ProcessingPayout,
  order: PaymentOrder,
  { deadline, sentAtMs }: Applied,
): Promise<Payout | undefined> {
  const claim = ownerClaim(payout)
  if (deadline.leftMs() <= 0) {
    // Safe to ignore: the lease expires.
    await ports.payouts.yieldClaim(claim, { dueInSeconds: 0, raised: {} }).catch(() => false)
    throw new Unavailable('store', 'no time was left to pay; a worker cancels the payout')
  }
  const isLate = ports.monotonic() - sentAtMs > lease.renewEveryMs
  if (isLate && !(await ports.payouts.renew(claim, lease.leaseSeconds))) return undefined

  const alerts = payoutAlerts(ports.raiseAlert, payout, {})
  const how = { alerts, otherwise: { dueInSeconds: statusDelaySeconds(0) } }
  const call = ports.network.pay(order)
  const answer = await answered(ports, lease, claim, call, deadline)
  if (answer) return settleOrYield(ports, claim, payout, answer, { ...how, timing: 'in_time' })

  const finish = async (): Promise<void> => {
    const late = (await answered(ports, lease, claim, call)) ?? (await call)
    await settleOrYield(ports, claim, payout, late, { ...how, timing: 'late' })
  }
  ports.inBackground(finish())
  return payout
}

/** Waits for the answer with the lease kept alive; undefined when the deadline passes first. */
async function answered(
  { payouts, timer }: Pick<SubmitPaymentPorts, 'payouts' | 'timer'>,
  { leaseSeconds, renewEveryMs }: Lease,
  claim: PayoutClaim,
  call: Promise<NetworkAnswer>,
  deadline?: Deadline,
): Promise<NetworkAnswer | undefined> {
  for (;;) {
    const left = deadline?.leftMs() ?? renewEveryMs
    if (left <= 0) return undefined
    const answer = await withTimeout(timer, Math.min(left, renewEveryMs), call)
    if (answer) return answer
    // A lease that could not be renewed shows when the payout is settled: the fence has moved on.
    payouts.renew(claim, leaseSeconds).catch(() => false)
  }
}
