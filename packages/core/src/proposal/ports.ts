import type { OperatorRequest, UsedRequest } from '../access/operator-request.ts'
import type { Credential } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type { ProposalActionType } from './action.ts'
import type {
  ApprovedProposal,
  DecidedProposal,
  FailedProposal,
  OpenProposal,
  Proposal,
  ProposalStatus,
} from './proposal.ts'

/** A page of proposals, filtered. */
export type ProposalQuery = PageQuery & {
  /** The state at the instant `now`. */
  readonly status?: ProposalStatus
  readonly now: Date
  readonly tenantId?: string
  readonly action?: ProposalActionType
  /** The id of what the action changes: of a payout, deposit or operator token. */
  readonly subject?: string
}

/** Stores proposals. Every method throws `Unavailable` when the database cannot be read or written. */
export type ProposalStore = {
  /**
   * Inserts a new proposal of the person whose operator token is presented, with the audit entry
   * `auditProposal`. Nothing was written when it is `unauthorized`, as no such token may write, or when the proposer
   * has used the request's key before.
   */
  insert(
    proposal: OpenProposal | ApprovedProposal,
    by: Credential,
    request?: OperatorRequest,
  ): Promise<'committed' | 'unauthorized' | UsedRequest>
  find(id: string): Promise<Proposal | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(query: ProposalQuery): Promise<Page<Proposal>>
  /**
   * Approves, rejects or withdraws an open proposal that has not expired, in the name of the person whose operator token
   * is presented, with the audit entry `auditProposalStep`. Nothing was written when it is `stale`, as the stored
   * state is another one, or `unauthorized`, as no such token may write.
   *
   * The write that makes a proposal `executed` is the one that moves the money: `WalletStore.adjust` and
   * `DepositStore.commit`. Where nothing moves money it is this one, which fails the proposal as `NOT_RESUMABLE` when
   * the suspension or stop that it ends is over.
   *
   * @throws Error when the approver is the proposer
   */
  commit(proposal: DecidedProposal, by: Credential): Promise<'committed' | 'stale' | 'unauthorized'>
  /**
   * Fails an approved proposal, with the audit entry `auditProposalStep`. `stale`: the stored state is another
   * one, and nothing was written.
   */
  fail(proposal: FailedProposal): Promise<'committed' | 'stale'>
}
