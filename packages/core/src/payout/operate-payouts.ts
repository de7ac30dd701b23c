import { type CallAuthor, type NetworkCall, type NetworkCallStore } from '../network/network-call.ts'
import { cancels } from '../network/qr-network.ts'
import { proveNetwork } from '../network/prove-network.ts'
import { authorized, type Operator } from '../access/operator.ts'
import { payoutAlerts } from './alerts.ts'
import { compareEnded } from './compare-ended.ts'
import { requestCancel, type Queried, queryStatus } from './query-network.ts'
import type { OperatorQuestion, PayoutDecisionStore } from './decision-ports.ts'
import type { Payout } from './payout.ts'
import type { ClaimedPayout, PayoutStore } from './ports.ts'
import { type ResumePayoutPorts, type ResumeSettings, resumeSettingsShape, settleQueried } from './resume-payout.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `operatePayouts`. */
export type OperatePayoutsPorts = ResumePayoutPorts & {
  readonly payoutDecisions: Pick<PayoutDecisionStore, 'find' | 'claim'>
}

/** Why the network was not queried. */
export type OperateRefusal =
  | 'not_found'
  /** The payout's request, a worker or another operator is querying the network about it. */
  | 'leased'
  /** There is nothing to cancel; or nothing to query, as the payout ended before it was sent to the network. */
  | 'already_ended'
  /** The network cannot cancel: `unpaidProof` is another one. */
  | 'cannot_cancel'
  /** The network does not know a payment that the books have as completed: what it cancels proves nothing. */
  | 'network_unproven'

/** The payout as it now stands and what the network answered, or why it was not queried. */
export type OperatorAnswer =
  | { readonly type: 'queried'; readonly payout: Payout; readonly calls: readonly NetworkCall[] }
  | { readonly type: 'refused'; readonly code: OperateRefusal }

/** How operators query the network about a payout. */
export type OperatePayouts = {
  /**
   * Queries the payout's status now, as a worker does when the payout is due: a final answer settles it, and a
   * reference that the network has not seen is cancelled, where it can cancel. Of a payout that has ended, the status is queried and
   * compared; nothing changes.
   */
  query(operator: Operator, payoutId: string): Promise<OperatorAnswer>
  /** Cancels the payout's reference at the network. A payment that exists settles the payout instead. */
  cancel(operator: Operator, payoutId: string): Promise<OperatorAnswer>
}

/**
 * Asks the QR network about payouts that hang, for an operator.
 *
 * A claim comes first, with a fencing token, so that an operator and the workers never settle one payout twice.
 * Every question is in the audit log, and in the record of calls with its answer.
 *
 * @throws Unavailable when the outcome could not be recorded; a worker queries again when the claim's lease has
 *   expired
 * @throws Unauthorized without the active token of an operator
 * @example
 * ```ts
 * const operate = operatePayouts(ports, defaultResumeSettings)
 * const { items } = await ports.payouts.list(tenant.id, { limit: 1 })
 * for (const { id } of items) {
 *   const answer = await operate.query(ana, id)
 *   console.log(answer.type === 'queried' ? answer.payout.status : answer.code) // already_ended
 * }
 * ```
 */
export function operatePayouts(ports: OperatePayoutsPorts, settings: ResumeSettings): OperatePayouts {
  checkSettings('operatePayouts', settings, resumeSettingsShape)

  const { network } = ports
  const querying = { ...ports, proveNetwork: proveNetwork(ports) }
  const operate = async (
    question: OperatorQuestion,
    operator: Operator,
    payoutId: string,
    queryNetwork: (claimed: ClaimedPayout, author: CallAuthor) => Promise<Resumed>,
  ): Promise<OperatorAnswer> => {
    const found = await ports.payoutDecisions.find(payoutId)
    if (!found) return refused('not_found')
    const { payout } = found
    if (payout.quote === null || (payout.status !== 'processing' && question === 'cancel'))
      return refused('already_ended')
    const call = { tenantId: payout.tenantId, payoutId, question, at: ports.now() }
    const claimed = authorized(await ports.payoutDecisions.claim(call, operator, settings.leaseSeconds))
    if (claimed === 'leased') return refused('leased')
    const author = { queriedBy: 'operator', actor: operator.person } as const
    if (claimed !== 'ended') return { type: 'queried', ...(await queryNetwork(claimed, author)) }
    if (question === 'cancel') return refused('already_ended')
    return { type: 'queried', ...(await compareEnded(ports, payout, author)) }
  }

  const resumed = async (
    claimed: ClaimedPayout,
    query: (alerts: ReturnType<typeof payoutAlerts>) => Promise<Queried>,
  ): Promise<Resumed> => {
    const alerts = payoutAlerts(ports.raiseAlert, claimed.payout, claimed.raised)
    const queried = await query(alerts)
    const payout = await settleQueried(ports, settings, claimed, queried, alerts)
    return { payout, calls: queried.calls }
  }

  return {
    query: (operator, payoutId) =>
      operate('status', operator, payoutId, (claimed, author) =>
        resumed(claimed, (alerts) => queryStatus(querying, settings.leaseSeconds, claimed, author, alerts)),
      ),
    cancel: async (operator, payoutId) => {
      const { cancel } = network
      if (!cancels(network) || !cancel) return refused('cannot_cancel')
      const found = await ports.payoutDecisions.find(payoutId)
      if (found?.payout.status === 'processing') {
        const payout = { tenantId: found.payout.tenantId, payoutId }
        if ((await querying.proveNetwork(payout)) !== 'known') return refused('network_unproven')
      }
      return operate('cancel', operator, payoutId, (claimed, author) =>
        resumed(claimed, () => requestCancel(ports, cancel, claimed.payout, author)),
      )
    },
  }
}

type Resumed = { readonly payout: Payout; readonly calls: readonly NetworkCall[] }

const refused = (code: OperateRefusal): OperatorAnswer => ({ type: 'refused', code })

/** The ports of `hintPayout`. */
export type HintPayoutPorts = Omit<OperatePayoutsPorts, 'payouts' | 'networkCalls'> & {
  readonly payouts: OperatePayoutsPorts['payouts'] & Pick<PayoutStore, 'hint'>
  readonly networkCalls: NetworkCallStore
}

/** How long after a question about an ended payout a callback queries no other. */
export const hintPauseMs = 60_000

/**
 * Acts on a callback of the network, which is only a hint: makes a payout in `processing` due now. Of a payout that has
 * ended the status is queried, at most once a minute, and compared: a payment that was refused or returned afterwards is a
 * difference.
 *
 * @throws Unavailable when the store cannot be read or written; the hint is then lost, which is safe
 * @example
 * ```ts
 * const { items } = await ports.payouts.list(tenant.id, { limit: 1 })
 * for (const { id } of items) await hintPayout(ports)(id)
 * console.log(items.length) // 1
 * ```
 */
export function hintPayout(ports: HintPayoutPorts): (payoutId: string) => Promise<void> {
  return async (payoutId) => {
    await ports.payouts.hint(payoutId)
    const payout = (await ports.payoutDecisions.find(payoutId))?.payout
    if (!payout || payout.quote === null || payout.status === 'processing') return
    const ref = { tenantId: payout.tenantId, payoutId }
    const [last] = (await ports.networkCalls.list(ref, { limit: 1 })).items
    const since = new Date(ports.now().getTime() - hintPauseMs)
    if (last && last.createdAt > since && last.createdAt >= payout.endedAt) return
    await compareEnded(ports, payout, { queriedBy: 'worker', actor: null })
  }
}
