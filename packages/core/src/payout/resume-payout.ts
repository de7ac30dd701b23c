import type { RaiseAlert } from '../alert.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { EncodeEventOf } from '../event/event.ts'
import type { Payout, PayoutEvent } from './payout.ts'
import { type Ids } from '../ids.ts'
import type { NetworkCallStore } from '../network/network-call.ts'
import type { NetworkStore } from '../network/network-store.ts'
import { proveNetwork } from '../network/prove-network.ts'
import { isAnswered, type QrNetwork } from '../network/qr-network.ts'
import type { Clock, Monotonic } from '../time.ts'
import { type PayoutAlerts, payoutAlerts } from './alerts.ts'
import { type Queried, queryStatus } from './query-network.ts'
import { defaultPayoutSettings, type PayoutSettings } from './payout-request.ts'
import type { ClaimedPayout, ClaimYield, PayoutStore } from './ports.ts'
import type { CompletedPayments } from './prove-unpaid.ts'
import { processingAlertSeconds, operatorAfterSeconds, probeDelaySeconds, statusDelaySeconds } from './schedule.ts'
import { settleOrYield } from './settle-or-yield.ts'
import { isFinalAnswer } from './settle-payout.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/** The ports of `resumePayout`. */
export type ResumePayoutPorts = {
  readonly payouts: Pick<PayoutStore, 'commit' | 'get' | 'renew' | 'yieldClaim' | 'catchUp'>
  readonly networkCalls: Pick<NetworkCallStore, 'record'>
  readonly networks: Pick<NetworkStore, 'knownPayment' | 'halt'>
  readonly network: Pick<QrNetwork, 'identity' | 'capabilities' | 'status' | 'cancel' | 'statement'>
  readonly reconciliations: CompletedPayments
  readonly encodeEvent: EncodeEventOf<PayoutEvent>
  readonly ids: Ids
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly raiseAlert: RaiseAlert
  readonly differences: Pick<DifferenceStore, 'record'>
}

/** Resumes one claimed payout. @returns the payout as it now stands */
export type ResumePayout = (claimed: ClaimedPayout) => Promise<Payout>

/** The lease of a claim, and the pace after an outage of the network. */
export type ResumeSettings = Pick<PayoutSettings, 'leaseSeconds'> & {
  /** How many payouts a second all workers together bring forward when the network answers again. */
  readonly catchUpPerSecond: number
}

/** The required members of `ResumeSettings`. */
export const resumeSettingsShape: SettingsShape<ResumeSettings> = {
  leaseSeconds: 'positive',
  catchUpPerSecond: 'positive',
}

/** The default settings of resumed payouts. */
export const defaultResumeSettings: ResumeSettings = {
  leaseSeconds: defaultPayoutSettings.leaseSeconds,
  catchUpPerSecond: 5,
}

/**
 * Settles a payout whose request did not.
 *
 * Queries the network for the status by reference and never pays. An order that the network has not seen may still be on
 * its way: the payout ends only with the network's `unpaidProof` (`queryStatus`), or when its order provably never left.
 * An answer ends an outage: payouts whose last status call was unanswered are brought forward.
 *
 * @throws Unavailable when the outcome could not be recorded; the claim's lease then expires
 * @source spec §3; how is assumed
 * @example
 * ```ts
 * const resume = resumePayout(ports, defaultResumeSettings)
 * const due = await ports.payouts.claimDue(10, defaultResumeSettings.leaseSeconds)
 * for (const claimed of due) {
 *   const payout = await resume(claimed)
 *   console.log(payout.status)
 * }
 * console.log(due.length) // 0
 * ```
 */
export function resumePayout(ports: ResumePayoutPorts, settings: ResumeSettings): ResumePayout {
  checkSettings('resumePayout', settings, resumeSettingsShape)
  const querying = { ...ports, proveNetwork: proveNetwork(ports) }
  return async (claimed) => {
    const alerts = payoutAlerts(ports.raiseAlert, claimed.payout, claimed.raised)
    raiseForAge(alerts, claimed)
    const queried = await queryStatus(querying, settings.leaseSeconds, claimed, byWorker, alerts)
    return settleQueried(ports, settings, claimed, queried, alerts)
  }
}

const byWorker = { queriedBy: 'worker', actor: null } as const

/** Settles a claimed payout with what the network answered, or yields the claim. @returns the payout as it now stands */
export async function settleQueried(
  ports: Omit<ResumePayoutPorts, 'network'>,
  { catchUpPerSecond }: Pick<ResumeSettings, 'catchUpPerSecond'>,
  claimed: ClaimedPayout,
  { answer, calls }: Queried,
  alerts: PayoutAlerts,
): Promise<Payout> {
  const { payout, claim } = claimed
  if (!answer || isFinalAnswer(payout, answer)) await ports.networkCalls.record(claim, calls)
  if (!answer) return payout
  const isEndOfOutage = calls.length > 0 && isAnswered(answer)
  const otherwise = nextStatusCall(claimed, isEndOfOutage)
  const { givenRef } = claimed
  const context = { timing: 'afterwards', alerts, otherwise, calls, givenRef } as const
  const current = await settleOrYield(ports, claim, payout, answer, context)
  if (isEndOfOutage) await ports.payouts.catchUp(catchUpPerSecond)
  return current
}

function raiseForAge(alerts: PayoutAlerts, { openSeconds, raised }: ClaimedPayout): void {
  if (openSeconds < operatorAfterSeconds) {
    if (openSeconds < processingAlertSeconds) return
    const minutes = processingAlertSeconds / 60
    alerts.raise('PROCESSING_TOO_LONG', `in processing for more than ${minutes} minutes`)
  } else if (raised.NEEDS_OPERATOR === undefined) {
    const hours = operatorAfterSeconds / 3600
    alerts.raise('NEEDS_OPERATOR', `in processing for more than ${hours} hours`)
  }
}

const nextStatusCall = (
  { claimCount, unanswered, openSeconds }: ClaimedPayout,
  answered: boolean,
): Pick<ClaimYield, 'dueInSeconds' | 'statusCall'> =>
  answered
    ? { dueInSeconds: statusDelaySeconds(claimCount - unanswered), statusCall: { answered } }
    : {
        dueInSeconds: statusDelaySeconds(claimCount),
        statusCall: { answered, probeInSeconds: probeDelaySeconds(openSeconds) },
      }
