import { reviewRefusal, type StateRefusal } from '../deposit/review-deposits.ts'
import { type Usdt, usdt } from '../money.ts'
import type { TenantStore } from '../tenant/ports.ts'
import type { AdjustWallet, CloseDeposit, CreditDeposit } from './action.ts'
import { executeAction, type ExecuteActionPorts } from './execute-action.ts'
import type { ProposalStore } from './ports.ts'
import type { ApprovedProposal, Proposal, ProposalDraft, WithdrawnProposal } from './proposal.ts'
import {
  approveProposal,
  failProposal,
  openProposal,
  type StepRefusal,
  withdrawProposal,
} from './steps.ts'

/** The ports of `manageProposals`. */
export type ManageProposalsPorts = ExecuteActionPorts & {
  readonly proposals: ProposalStore
  readonly tenants: Pick<TenantStore, 'find'>
}

/** Up to which amount one person decides alone, and how long a second one may approve. */
export type ProposalSettings = {
  /** Up to this amount one person alone may adjust a wallet, and credit or close a deposit. */
  readonly approvalLimit: Usdt
  /** How long a proposal can be approved. */
  readonly lifeSeconds: number
}

/** Every movement of money by hand needs two people, and 72 hours are enough for the second one. @source assumed */
export const defaultProposalSettings: ProposalSettings = {
  approvalLimit: usdt(0n),
  lifeSeconds: 72 * 3_600,
}

/** Why nothing was written. */
export type ProposalRefusal =
  | StepRefusal
  | StateRefusal
  /** It is open, withdrawn or expired: nothing can be executed. */
  | 'not_approved'

/** The proposal as it now stands, or why nothing was written. */
export type ProposalAnswer =
  | { readonly type: 'proposal'; readonly proposal: Proposal }
  | { readonly type: 'refused'; readonly code: ProposalRefusal }

/** The reason and the evidence of a proposal. */
export type ProposalNote = Pick<ProposalDraft, 'reason' | 'evidence'>

/**
 * How operators move money by hand: one proposes, another one approves, and the approval executes. `actor` is
 * the name of an operator's token.
 */
export type ManageProposals = {
  /** `not_found`: no such tenant. */
  adjustWallet(
    actor: string,
    tenantId: string,
    adjustment: Omit<AdjustWallet, 'type'>,
    note: ProposalNote,
  ): Promise<ProposalAnswer>
  /** `not_found`: no such deposit. */
  resolveDeposit(
    actor: string,
    depositId: string,
    type: (CreditDeposit | CloseDeposit)['type'],
    note: ProposalNote,
  ): Promise<ProposalAnswer>
  /** Approves the proposal and executes it. The same person may repeat it, and gets the proposal as it then stands. */
  approve(actor: string, id: string): Promise<ProposalAnswer>
  /** Withdraws an open proposal: the proposer's own, or any with the role `admin`. */
  withdraw(actor: string, id: string, isAdmin: boolean): Promise<ProposalAnswer>
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
 * @source assumed
 * @example
 * ```ts
 * const proposals = manageProposals(ports, defaultProposalSettings)
 * const credit = { direction: 'in', amount: usdt(5_000_000n) } as const
 * const note = { reason: 'Fee charged twice.', evidence: null }
 * const proposed = await proposals.adjustWallet('ana', tenant.id, credit, note)
 * if (proposed.type === 'proposal') {
 *   const approved = await proposals.approve('bea', proposed.proposal.id)
 *   if (approved.type === 'proposal') console.log(approved.proposal.status) // executed
 * }
 * ```
 */
export function manageProposals(
  ports: ManageProposalsPorts,
  settings: ProposalSettings,
): ManageProposals {
  const { proposals, tenants, deposits, now } = ports
  return {
    adjustWallet: async (actor, tenantId, { direction, amount }, note) => {
      if (!(await tenants.find(tenantId))) return refused('not_found')
      const action = { type: 'adjust_wallet', direction, amount } as const
      return propose(ports, settings, { tenantId, action, proposedBy: actor, ...note })
    },
    resolveDeposit: async (actor, depositId, type, note) => {
      const deposit = await deposits.find(depositId)
      const refusal = reviewRefusal(deposit, type === 'credit_deposit')
      if (deposit === undefined || refusal !== null) return refused(refusal ?? 'not_found')
      const { tenantId, amount } = deposit
      const action = { type, depositId, amount }
      return propose(ports, settings, { tenantId, action, proposedBy: actor, ...note })
    },
    approve: (actor, id) =>
      change(ports, id, (proposal) =>
        isApprovedBy(proposal, actor) ? 'unchanged' : approveProposal(proposal, actor, now()),
      ),
    withdraw: (actor, id, isAdmin) =>
      change(ports, id, (proposal) => withdrawProposal(proposal, { by: actor, isAdmin }, now())),
    execute: async (id) => {
      const proposal = await proposals.find(id)
      if (!proposal) return refused('not_found')
      const isApproved = 'approval' in proposal
      return isApproved ? executed(ports, proposal) : refused('not_approved')
    },
  }
}

const refused = (code: ProposalRefusal): ProposalAnswer => ({ type: 'refused', code })

const isApprovedBy = (proposal: Proposal, actor: string): boolean =>
  'approval' in proposal && proposal.approval.by === actor

async function propose(
  ports: ManageProposalsPorts,
  { approvalLimit, lifeSeconds }: ProposalSettings,
  draft: Omit<ProposalDraft, 'id' | 'createdAt' | 'expiresAt'>,
): Promise<ProposalAnswer> {
  const createdAt = ports.now()
  const id = ports.ids.next('prp', createdAt)
  const expiresAt = new Date(createdAt.getTime() + lifeSeconds * 1_000)
  const proposal = openProposal({ ...draft, id, createdAt, expiresAt }, approvalLimit)
  await ports.proposals.insert(proposal)
  return executed(ports, proposal)
}

type ProposalChange = ApprovedProposal | WithdrawnProposal

/** Commits the step; starts again when another write came first. */
async function change(
  ports: ManageProposalsPorts,
  id: string,
  step: (proposal: Proposal) => ProposalChange | 'unchanged' | StepRefusal,
): Promise<ProposalAnswer> {
  for (;;) {
    const before = await ports.proposals.find(id)
    if (!before) return refused('not_found')
    const after = step(before)
    if (after === 'unchanged') return executed(ports, before)
    if (typeof after === 'string') return refused(after)
    if ((await ports.proposals.commit(after)) === 'committed') return executed(ports, after)
  }
}

/** Executes the proposal if it is approved. */
async function executed(ports: ManageProposalsPorts, proposal: Proposal): Promise<ProposalAnswer> {
  if (proposal.status !== 'approved') return { type: 'proposal', proposal }
  const failure = await executeAction(ports)(proposal)
  if (failure !== null) await ports.proposals.commit(failProposal(proposal, failure, ports.now()))
  return { type: 'proposal', proposal: (await ports.proposals.find(proposal.id)) ?? proposal }
}
