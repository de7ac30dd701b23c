import { authorized, type Operator } from '../access/operator.ts'
import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'
import type { Ids } from '../ids.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import type { OpenProposal, ProposalNote } from '../proposal/proposal.ts'
import { defaultProposalSettings, newProposal, type ProposalSettings } from '../proposal/proposal-settings.ts'
import type { Clock } from '../time.ts'
import { checkSettings } from '../check-settings.ts'
import type { PayoutStop, RestoreStore } from './ports.ts'

/** The ports of `stopPayouts`. */
export type StopPayoutsPorts = {
  readonly restores: Pick<RestoreStore, 'gate' | 'stop'>
  readonly proposals: Pick<ProposalStore, 'insert'>
  readonly ids: Ids
  readonly now: Clock
}

/** Stops new payouts, and proposes to start them again. */
export type StopPayouts = {
  /** Null while payouts are accepted. */
  current(): Promise<PayoutStop | null>
  /** Accepts no new payout from now on, in every process. Does nothing while they are stopped. */
  begin(operator: Operator, reason: string): Promise<PayoutStop | null>
  /** Proposes the end of the stop, which another operator approves; undefined while payouts are accepted. */
  proposeEnd(operator: Operator, note: ProposalNote): Promise<OpenProposal | undefined>
}

/**
 * The stop of payouts: a new order is refused as `Unavailable` and writes nothing, so that its transaction id stays
 * free. Replays, reads and settlements go on. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const payouts = stopPayouts(ports)
 * const stop = await payouts.begin(ana, 'The network pays twice.')
 * console.log(stop?.reason) // The network pays twice.
 * const proposal = await payouts.proposeEnd(ana, { reason: 'The network is repaired.', evidence: null })
 * console.log(proposal?.action.type) // start_payouts
 * ```
 */
export function stopPayouts(
  { restores, proposals, ids, now }: StopPayoutsPorts,
  settings: Pick<ProposalSettings, 'approvableSeconds'> = defaultProposalSettings,
): StopPayouts {
  checkSettings('stopPayouts', settings, { approvableSeconds: 'positive' })
  const current = async (): Promise<PayoutStop | null> => (await restores.gate()).stop
  return {
    current,
    async begin(operator, reason) {
      authorized(await restores.stop(reason, { ...operator, at: now() }))
      return current()
    },
    async proposeEnd(operator, note) {
      const stop = await current()
      if (stop === null) return undefined
      const action = { type: 'start_payouts', stoppedAt: stop.at } as const
      const proposal = newProposal(ids, settings, operator, now(), { tenantId: null, action, ...note })
      authorized(await proposals.insert(proposal, operator))
      return proposal
    },
  }
}

/** The audit entry that is written when payouts are stopped or started. It concerns no single tenant. */
export const auditPayoutStop = (
  change: { readonly reason: string } | { readonly proposalId: string },
  author: AuditAuthor,
): AuditEntry => {
  const isStop = 'reason' in change
  return {
    ...author,
    tenantId: null,
    subject: 'payouts',
    action: isStop ? 'payouts.stop' : 'payouts.start',
    before: { status: isStop ? 'open' : 'stopped' },
    after: isStop ? { status: 'stopped', reason: change.reason } : { status: 'open', proposal_id: change.proposalId },
  }
}
