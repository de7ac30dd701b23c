import type { Page, PageQuery } from '../page.ts'
import type { ProposalActionType } from './action.ts'
import type {
  ApprovedProposal,
  FailedProposal,
  OpenProposal,
  Proposal,
  ProposalStatus,
  WithdrawnProposal,
} from './proposal.ts'

/** A page of proposals, filtered. */
export type ProposalQuery = PageQuery & {
  /** The state at the instant `now`. */
  readonly status?: ProposalStatus
  readonly now: Date
  readonly tenantId?: string
  readonly action?: ProposalActionType
}

/** Stores proposals. Every method throws `Unavailable` when the database cannot be read or written. */
export type ProposalStore = {
  /** Inserts a new proposal, with the audit entry `auditProposal`. */
  insert(proposal: OpenProposal | ApprovedProposal): Promise<void>
  find(id: string): Promise<Proposal | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(query: ProposalQuery): Promise<Page<Proposal>>
  /**
   * Approves or withdraws an open proposal that has not expired, or fails an approved one, with the audit entry
   * `auditProposalStep`. `stale`: the stored state is another one, and nothing was written.
   *
   * The write that makes a proposal `executed` is the one that moves the money: `WalletStore.adjust` and
   * `DepositStore.commit`.
   *
   * @throws Error when the approver is the proposer
   */
  commit(
    proposal: ApprovedProposal | WithdrawnProposal | FailedProposal,
  ): Promise<'committed' | 'stale'>
}
