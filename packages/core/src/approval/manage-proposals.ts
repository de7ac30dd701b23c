import type { DecidedProposal, Evidence, Proposal, ProposalDraft, ProposalNote } from '../proposal/proposal.ts'
import { type DepositReturn, screeningCodeOf } from '../deposit/deposit.ts'
import { openReviews, totalOf } from '../deposit/close-reviews.ts'
import { reviewRefusal } from '../deposit/review-deposits.ts'
import { authorized, hasRole, type Operator } from '../access/operator.ts'
import { repeatedSubject } from '../access/operator-request.ts'
import type { Usdt } from '../money.ts'
import type { TenantStore } from '../tenant/ports.ts'
import { type AdjustWallet, type CloseDeposit, type CreditDeposit, type SettlePayout } from '../proposal/action.ts'
import { contradictsPayment } from '../payout/decide-payout.ts'
import { newProposal, type ProposalSettings, proposalSettingsShape } from '../proposal/proposal-settings.ts'
import type { ScreeningCase, ScreeningDecision, ScreeningStore } from '../screening/case.ts'
import { executeAction, type ExecuteActionPorts } from './execute-action.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import { refundOf } from './refund.ts'
import {
  approvedBy,
  failProposal,
  openProposal,
  type ProposalRefusal,
  rejectProposal,
  type StepRefusal,
  withdrawProposal,
} from '../proposal/steps.ts'
import { checkSettings } from '../check-settings.ts'
import { untilCommitted } from '../until-committed.ts'

/** The ports of `manageProposals`. */
export type ManageProposalsPorts = ExecuteActionPorts & {
  readonly proposals: ProposalStore
  readonly tenants: Pick<TenantStore, 'find'>
  readonly screeningCases: Pick<ScreeningStore, 'find'>
}

/** The proposal as it now stands, or why nothing was written. */
export type ProposalAnswer =
  | {
      readonly type: 'proposal'
      readonly proposal: Proposal
      /** The same request had made the proposal before. */
      readonly replayed?: true
    }
  | { readonly type: 'refused'; readonly code: ProposalRefusal }

/** Nothing was written, as these deposits are not open reviews of the tenant. */
export type ReviewsNotOpen = { readonly type: 'not_open'; readonly depositIds: readonly string[] }

/** How operators move money by hand: one proposes, another one approves, and the approval executes. */
export type ManageProposals = {
  /** `not_found`: no such tenant. */
  adjustWallet(
    operator: Operator,
    tenantId: string,
    adjustment: Omit<AdjustWallet, 'type' | 'tenantId' | 'payoutId'>,
    note: ProposalNote,
  ): Promise<ProposalAnswer>
  /** `not_found`: no such deposit. */
  resolveDeposit(
    operator: Operator,
    depositId: string,
    type: (CreditDeposit | CloseDeposit)['type'],
    note: ProposalNote,
  ): Promise<ProposalAnswer>
  /** Closes reviews of one tenant, all or none. The approval limit applies to their sum. */
  closeDeposits(
    operator: Operator,
    tenantId: string,
    depositIds: readonly string[],
    note: ProposalNote,
  ): Promise<ProposalAnswer | ReviewsNotOpen>
  /**
   * Records that a transaction has sent a deposit in review back, and closes it. Always needs a second person.
   * `not_found`: no such deposit. `not_creditable`: its tokens never arrived.
   */
  returnDeposit(
    operator: Operator,
    depositId: string,
    returned: DepositReturn,
    note: ProposalNote & { readonly evidence: Evidence },
  ): Promise<ProposalAnswer>
  /**
   * Settles a payout in `processing` by evidence. Always needs a second person. `completed` debits the tenant
   * the price of the quote, whatever was paid: adjust the wallet for a difference. `not_found`: no such payout.
   * `contradicts_network`: another payment than the network answered, and the settlement does not say so.
   */
  settlePayout(
    operator: Operator,
    payoutId: string,
    settlement: Omit<SettlePayout, 'type' | 'payoutId' | 'ordered' | 'networkPaid'>,
    note: ProposalNote & { readonly evidence: Evidence },
  ): Promise<ProposalAnswer>
  /**
   * Refunds a completed payout whose payment the network returned, once. Always needs a second person. The payout
   * stays completed. `not_found`: no such payout. `not_refundable`: it is not completed, or its price is less.
   * `already_refunded`: it has a refund, or an open proposal of one.
   *
   * @param amount  at most the payout's price, which is the default
   */
  refundPayout(operator: Operator, payoutId: string, amount: Usdt | null, note: ProposalNote): Promise<ProposalAnswer>
  /**
   * Decides a case of screening, also one that was decided before. Always needs a second person. `not_found`: no such
   * case. `already_decided`: it has this decision, or nobody is listed in it.
   */
  decideScreening(
    operator: Operator,
    caseId: string,
    decision: ScreeningDecision,
    note: ProposalNote & { readonly evidence: Evidence },
  ): Promise<ProposalAnswer>
  /** Approves and executes it. The same person may repeat it and gets it as it stands; a second person, `not_open`. */
  approve(operator: Operator, id: string): Promise<ProposalAnswer>
  /** Rejects an open proposal of another person, by a person who may approve it. */
  reject(operator: Operator, id: string, reason: string): Promise<ProposalAnswer>
  /** Withdraws an open proposal: the proposer's own, or any with the role `admin`. */
  withdraw(operator: Operator, id: string): Promise<ProposalAnswer>
  /** Executes an approved proposal whose execution was interrupted. Idempotent. */
  execute(id: string): Promise<ProposalAnswer>
}

/**
 * Proposals that one person makes and another one approves.
 *
 * The approval is one commit. The execution follows in the same call, and is one commit with the proposal's
 * state `executed`, so that an action is executed at most once. After an interruption between the two,
 * `execute` or a repeated `approve` executes it.
 *
 * @throws Unavailable when the outcome of a write is unknown; repeat the call
 * @example
 * ```ts
 * const proposals = manageProposals(ports, defaultProposalSettings)
 * const credit = { direction: 'in', amount: usdt(5_000_000n) } as const
 * const note = { reason: 'Fee charged twice.', evidence: null }
 * const proposed = await proposals.adjustWallet(ana, tenant.id, credit, note)
 * if (proposed.type === 'proposal') {
 *   const approved = await proposals.approve(bea, proposed.proposal.id)
 *   if (approved.type === 'proposal') console.log(approved.proposal.status) // executed
 * }
 * ```
 */
export function manageProposals(ports: ManageProposalsPorts, settings: ProposalSettings): ManageProposals {
  checkSettings('manageProposals', settings, proposalSettingsShape)

  const { proposals, tenants, deposits, now } = ports
  return {
    adjustWallet: async (operator, tenantId, adjustment, note) => {
      if (!(await tenants.find(tenantId))) return refused('not_found')
      const action = { type: 'adjust_wallet', tenantId, ...adjustment } as const
      return propose(ports, settings, operator, { tenantId, action, ...note })
    },
    resolveDeposit: async (operator, depositId, type, note) => {
      const deposit = await deposits.find(depositId)
      const refusal = reviewRefusal(deposit, type === 'credit_deposit')
      if (deposit === undefined || refusal !== null) return refused(refusal ?? 'not_found')
      const { tenantId, amount } = deposit
      const reviewCode = type === 'credit_deposit' ? screeningCodeOf(deposit) : undefined
      const action = { type, depositId, amount, ...(reviewCode !== undefined && { reviewCode }) }
      return propose(ports, settings, operator, { tenantId, action, ...note })
    },
    closeDeposits: async (operator, tenantId, depositIds, note) => {
      if (!(await tenants.find(tenantId))) return refused('not_found')
      const { open, notOpen } = await openReviews(ports, tenantId, depositIds)
      if (notOpen.length > 0) return { type: 'not_open', depositIds: notOpen }
      const amount = totalOf(open)
      const action = { type: 'close_deposits', tenantId, depositIds, amount } as const
      return propose(ports, settings, operator, { tenantId, action, ...note })
    },
    returnDeposit: async (operator, depositId, returned, note) => {
      const deposit = await deposits.find(depositId)
      const refusal = reviewRefusal(deposit, true)
      if (deposit === undefined || refusal !== null) return refused(refusal ?? 'not_found')
      const { tenantId, amount } = deposit
      const action = { type: 'return_deposit', depositId, amount, ...returned } as const
      return propose(ports, settings, operator, { tenantId, action, ...note })
    },
    settlePayout: async (operator, payoutId, settlement, note) => {
      const found = await ports.payoutDecisions.find(payoutId)
      if (!found) return refused('not_found')
      if (found.payout.status !== 'processing') return refused('already_ended')
      if (!found.isAsked) return refused('not_queried')
      const { tenantId, target: ordered } = found.payout
      const { networkPaid } = found
      const known = { payoutId, ordered, ...(networkPaid !== null && { networkPaid }) }
      const action: SettlePayout = { ...settlement, ...known, type: 'settle_payout' }
      if (!action.contradictsNetwork && contradictsPayment(action, networkPaid)) return refused('contradicts_network')
      return propose(ports, settings, operator, { tenantId, action, ...note })
    },
    refundPayout: async (operator, payoutId, given, note) => {
      const action = await refundOf(ports, payoutId, given)
      if (typeof action === 'string') return refused(action)
      const { tenantId } = action
      return propose(ports, settings, operator, { tenantId, action, ...note })
    },
    decideScreening: async (operator, caseId, decision, note) => {
      const decided = decisionOf(await ports.screeningCases.find(caseId), decision)
      return typeof decided === 'string'
        ? refused(decided)
        : propose(ports, settings, operator, { ...decided, ...note })
    },
    approve: (operator, id) =>
      change(ports, operator, id, (proposal) =>
        isApprovedBy(proposal, operator.person) ? 'unchanged' : approvedBy(operator, proposal, now()),
      ),
    reject: (operator, id, reason) =>
      change(ports, operator, id, (proposal) => rejectProposal(proposal, operator, reason, now())),
    withdraw: (operator, id) => {
      const author = { by: operator.person, isAdmin: hasRole(operator.role, 'admin') }
      return change(ports, operator, id, (proposal) => withdrawProposal(proposal, author, now()))
    },
    execute: async (id) => {
      const proposal = await proposals.find(id)
      if (!proposal) return refused('not_found')
      const isApproved = 'approval' in proposal
      return isApproved ? executed(ports, proposal) : refused('not_approved')
    },
  }
}

const refused = (code: ProposalRefusal): ProposalAnswer => ({ type: 'refused', code })

/** The action that decides the case; or why none does. */
function decisionOf(
  found: ScreeningCase | undefined,
  decision: ScreeningDecision,
): Pick<ProposalDraft, 'tenantId' | 'action'> | 'not_found' | 'already_decided' {
  if (!found) return 'not_found'
  const { id: caseId, tenantId, name, list, reason } = found
  if (found.outcome === 'unanswered' || found.status === decision) return 'already_decided'
  return { tenantId, action: { type: 'decide_screening', caseId, decision, name, list: `${list}: ${reason}` } }
}

const isApprovedBy = (proposal: Proposal, person: string): boolean =>
  'approval' in proposal && proposal.approval.by === person

async function propose(
  ports: ManageProposalsPorts,
  settings: ProposalSettings,
  operator: Operator,
  { request, ...proposed }: Pick<ProposalDraft, 'tenantId' | 'action'> & ProposalNote,
): Promise<ProposalAnswer> {
  const open = newProposal(ports.ids, settings, operator, ports.now(), proposed)
  const proposal = openProposal(open, settings.approvalLimit)
  const result = authorized(await ports.proposals.insert(proposal, operator, request))
  if (result === 'committed') return executed(ports, proposal)
  const stored = await ports.proposals.find(repeatedSubject(result, request ?? null) ?? '')
  return stored ? { ...(await executed(ports, stored)), replayed: true } : refused('key_reused')
}

/** Commits the step; starts again when another write came first. */
async function change(
  ports: ManageProposalsPorts,
  operator: Operator,
  id: string,
  step: (proposal: Proposal) => DecidedProposal | 'unchanged' | 'needs_admin' | StepRefusal,
): Promise<ProposalAnswer> {
  return untilCommitted(async () => {
    const before = await ports.proposals.find(id)
    if (!before) return refused('not_found')
    const after = step(before)
    if (after === 'unchanged') return executed(ports, before)
    if (typeof after === 'string') return refused(after)
    const result = authorized(await ports.proposals.commit(after, operator))
    return result === 'committed' ? executed(ports, after) : 'stale'
  })
}

/** Executes the proposal if it is approved. */
async function executed(
  ports: ManageProposalsPorts,
  proposal: Proposal,
): Promise<Extract<ProposalAnswer, { type: 'proposal' }>> {
  if (proposal.status !== 'approved') return { type: 'proposal', proposal }
  const failure = await executeAction(ports)(proposal)
  if (failure !== null) await ports.proposals.fail(failProposal(proposal, failure, ports.now()))
  return { type: 'proposal', proposal: (await ports.proposals.find(proposal.id)) ?? proposal }
}
