import type { RaiseAlert } from '../alert.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { EncodeEventOf } from '../event/event.ts'
import type { Payout, PayoutEvent, ProcessingPayout } from './payout.ts'
import type { Ids } from '../ids.ts'
import { type NetworkCall, startCall } from '../network/network-call.ts'
import { cancels, type NetworkAnswer, neverOrdered, type PaymentOrder, type QrNetwork } from '../network/qr-network.ts'
import { type Clock, type Deadline, type Monotonic, type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { payoutAlerts } from './alerts.ts'
import { ownerClaim, type PayoutClaim, type PayoutStore } from './ports.ts'
import { statusDelaySeconds } from './schedule.ts'
import { settleOrYield } from './settle-or-yield.ts'
import { isFinalAnswer, type SettleTiming } from './settle-payout.ts'

type SubmitPaymentPorts = {
  readonly payouts: Pick<PayoutStore, 'commit' | 'get' | 'renew' | 'markOrdered' | 'yieldClaim'>
  readonly network: Pick<QrNetwork, 'pay' | 'capabilities'>
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
 * @throws Unavailable when the deadline has passed, or it is not known whether the claim is held: the network is not
 *   called, and the payout is cancelled in the background. Also when the outcome could not be recorded: a worker settles
 *   the payout
 */
export async function submitPayment(
  ports: SubmitPaymentPorts,
  lease: LeaseSettings,
  payout: ProcessingPayout,
  order: PaymentOrder,
  accepted: Accepted,
): Promise<Payout | undefined> {
  const { deadline } = accepted
  const claim = ownerClaim(payout)
  const alerts = payoutAlerts(ports.raiseAlert, payout, {})
  const end = (answer: NetworkAnswer, timing: SettleTiming, calls: readonly NetworkCall[]): Promise<Payout> => {
    const otherwise = { dueInSeconds: statusDelaySeconds(0) }
    return settleOrYield(ports, claim, payout, answer, { timing, alerts, otherwise, calls, givenRef: null })
  }
  const mayPay = await holdClaim(ports, lease, claim, accepted).catch((error: unknown) => {
    ports.inBackground(end(neverOrdered, 'afterwards', []))
    throw error
  })
  if (!mayPay) return undefined

  const record = startCall(ports, 'pay', byRequest)
  const settleWith = (paid: NetworkAnswer, timing: SettleTiming): Promise<Payout> =>
    end(paid, timing, isFinalAnswer(payout, paid) ? [] : [record(paid)])
  const call = ports.network.pay(order)
  const answer = await answered(ports, lease, claim, call, deadline)
  if (answer) return settleWith(answer, 'in_time')

  const settleAfterwards = async (): Promise<void> => {
    await settleWith((await answered(ports, lease, claim, call)) ?? (await call), 'afterwards')
  }
  ports.inBackground(settleAfterwards())
  return payout
}

/**
 * Whether the owner still has the claim, so that it may pay. Where the network cannot cancel, this also marks that the
 * order may leave.
 *
 * @throws Unavailable when the deadline has passed, or the store did not answer
 */
async function holdClaim(
  { payouts, network, monotonic }: SubmitPaymentPorts,
  { leaseSeconds, renewEveryMs }: LeaseSettings,
  claim: PayoutClaim,
  { deadline, sentAtMs }: Accepted,
): Promise<boolean> {
  requireTime(deadline)
  const isMarked = !cancels(network)
  if (!isMarked && monotonic() - sentAtMs <= renewEveryMs) return true
  const isHeld = await (isMarked ? payouts.markOrdered(claim, leaseSeconds) : payouts.renew(claim, leaseSeconds))
  if (isHeld) requireTime(deadline)
  return isHeld
}

function requireTime({ leftMs }: Deadline): void {
  if (leftMs() <= 0) throw new Unavailable('store', 'no time was left to pay; the payout is cancelled')
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
