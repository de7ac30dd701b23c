import type { NetworkAnswer, QrNetwork } from '../network/qr-network.ts'
import { conclude, type ConcludePorts, raiseIncident } from './conclude.ts'
import type { Payout } from './payout.ts'
import type { ClaimedPayout, PayoutStore } from './ports.ts'
import { alertAfterSeconds, askDelaySeconds, operatorAfterSeconds } from './schedule.ts'

export type ResumePayoutPorts = ConcludePorts & {
  readonly payouts: ConcludePorts['payouts'] & Pick<PayoutStore, 'renew'>
  readonly network: Pick<QrNetwork, 'status' | 'close'>
}

/** @returns the payout as it now stands */
export type ResumePayout = (claimed: ClaimedPayout) => Promise<Payout>

/**
 * Finds out how a payout ended that its request could not see to the end.
 *
 * Asks the network by reference and never pays. A payment the network has not seen may still be on
 * its way, so it is fenced first: only a closed reference is proof that nothing was paid.
 *
 * @throws Unavailable when the outcome could not be recorded; the claim then ends by itself
 * @source spec §3; how is assumed
 */
export const resumePayout =
  (ports: ResumePayoutPorts, { leaseSeconds }: { leaseSeconds: number }): ResumePayout =>
  async ({ payout, claim, asked }) => {
    const { network, payouts, alarm, now } = ports
    const ageSeconds = (now().getTime() - payout.createdAt.getTime()) / 1000
    if (ageSeconds >= operatorAfterSeconds) {
      raiseIncident(alarm, payout, 'NEEDS_OPERATOR', 'in processing for more than 24 hours')
    } else if (ageSeconds >= alertAfterSeconds) {
      raiseIncident(alarm, payout, 'PROCESSING_TOO_LONG', 'in processing for more than 15 minutes')
    }
    const status = await network.status(payout.id, payout.networkRef)
    const answer = status.type === 'not_seen' ? await fence() : status
    if (!answer) return payout
    const how = { timing: 'late', dueInSeconds: askDelaySeconds(asked) } as const
    return conclude(ports, claim, payout, answer, how)

    /** Undefined when another worker has taken over meanwhile. */
    async function fence(): Promise<NetworkAnswer | undefined> {
      if (!network.close) {
        raiseIncident(alarm, payout, 'NEEDS_OPERATOR', 'never seen by a network without a fence')
        return { type: 'late' }
      }
      if (!(await payouts.renew(claim, leaseSeconds))) return undefined
      return network.close(payout.id, payout.networkRef)
    }
  }
