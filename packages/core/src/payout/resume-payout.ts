import { isAnswered, type NetworkAnswer, type QrNetwork } from '../network/qr-network.ts'
import { payoutAlerts } from './alerts.ts'
import { settleOrYield, type SettleContext, type SettleOrYieldPorts } from './settle-or-yield.ts'
import { defaultPayoutSettings, type PayoutSettings } from './create-payout.ts'
import type { Payout } from './payout.ts'
import type { ClaimedPayout, PayoutStore } from './ports.ts'
import {
  alertAfterSeconds,
  statusDelaySeconds,
  operatorAfterSeconds,
  probeDelaySeconds,
} from './schedule.ts'

export type ResumePayoutPorts = SettleOrYieldPorts & {
  readonly payouts: SettleOrYieldPorts['payouts'] & Pick<PayoutStore, 'renew' | 'catchUp'>
  readonly network: Pick<QrNetwork, 'status' | 'cancel'>
}

/** @returns the payout as it now stands */
export type ResumePayout = (claimed: ClaimedPayout) => Promise<Payout>

export type ResumeSettings = Pick<PayoutSettings, 'leaseSeconds'> & {
  /** How many payouts a second are brought forward when the network answers again, in all workers. */
  readonly catchUpPerSecond: number
}

/** @source assumed */
export const defaultResumeSettings: ResumeSettings = {
  leaseSeconds: defaultPayoutSettings.leaseSeconds,
  catchUpPerSecond: 5,
}

/**
 * Finds out how a payout ended that its request could not see to the end.
 *
 * Asks the network by reference and never pays. A payment the network has not seen may still be on
 * its way, so it is fenced first: only a closed reference is proof that nothing was paid. An answer
 * ends an outage: the payouts that the network did not answer about are asked about soon.
 *
 * @throws Unavailable when the outcome could not be recorded; the claim then ends by itself
 * @source spec §3; how is assumed
 */
export const resumePayout =
  (ports: ResumePayoutPorts, { leaseSeconds, catchUpPerSecond }: ResumeSettings): ResumePayout =>
  async ({ payout, claim, claimCount, unansweredCount, openSeconds, raised }) => {
    const { network, payouts } = ports
    const alerts = payoutAlerts(ports.raiseAlert, payout, raised)
    if (openSeconds < operatorAfterSeconds) {
      if (openSeconds >= alertAfterSeconds)
        alerts.raise('PROCESSING_TOO_LONG', 'in processing for more than 15 minutes')
    } else if (raised.NEEDS_OPERATOR === undefined) {
      alerts.raise('NEEDS_OPERATOR', 'in processing for more than 24 hours')
    }
    const status = await network.status(payout.id, payout.networkRef)
    const answer = status.type === 'not_seen' ? await fence() : status
    if (!answer) return payout
    const answered = isAnswered(answer)
    const otherwise: SettleContext['otherwise'] = answered
      ? { dueInSeconds: statusDelaySeconds(claimCount - unansweredCount), question: { answered } }
      : {
          dueInSeconds: statusDelaySeconds(claimCount),
          question: { answered, probeInSeconds: probeDelaySeconds(openSeconds) },
        }
    const how = { timing: 'late', alerts, otherwise } as const
    const current = await settleOrYield(ports, claim, payout, answer, how)
    if (answered) await payouts.catchUp(catchUpPerSecond)
    return current

    /** Undefined when another worker has taken over meanwhile. */
    async function fence(): Promise<NetworkAnswer | undefined> {
      if (!network.cancel) {
        alerts.raise('NEEDS_OPERATOR', 'never seen by a network without a fence')
        return { type: 'late' }
      }
      if (!(await payouts.renew(claim, leaseSeconds))) return undefined
      return network.cancel(payout.id, payout.networkRef)
    }
  }
