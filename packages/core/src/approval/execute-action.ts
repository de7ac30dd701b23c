import { type ReviewDepositsPorts, reviewDeposits, type ReviewResult } from '../deposit/review-deposits.ts'
import { closeReviews, type CloseReviewsPorts } from '../deposit/close-reviews.ts'
import { type Deposit, screeningCodeOf } from '../deposit/deposit.ts'
import { isOpenReview } from '../deposit/resolve-review.ts'
import type { WalletStore } from '../ledger/ports.ts'
import { decidePayout, type DecidePayoutPorts } from '../payout/decide-payout.ts'
import type { ActionOf, ExecutedLater, ProposalAction } from '../proposal/action.ts'
import type { ApprovedProposal, ProposalFailure } from '../proposal/proposal.ts'

/** The ports of the actions. */
export type ExecuteActionPorts = ReviewDepositsPorts &
  CloseReviewsPorts &
  DecidePayoutPorts & { readonly wallets: Pick<WalletStore, 'adjust'> }

/** Executes an approved proposal. Returns why its action no longer fits; null when this or a concurrent call executed it. */
export type ExecuteAction = (proposal: ApprovedProposal) => Promise<ProposalFailure | null>

type Executor<A extends ProposalAction> = (action: A, proposal: ApprovedProposal) => Promise<ProposalFailure | null>

export const executeAction = (ports: ExecuteActionPorts): ExecuteAction => {
  const executors: { readonly [T in ExecutedLater['type']]: Executor<ActionOf<T>> } = {
    adjust_wallet: async (action, { id, reason, proposedBy }) => {
      const { tenantId, direction, amount, differenceId, payoutId } = action
      const result = await ports.wallets.adjust({
        id,
        tenantId,
        direction,
        amount,
        reason,
        actor: proposedBy,
        ...(differenceId !== undefined && { differenceId }),
        ...(payoutId !== undefined && { payoutId }),
      })
      if (result === 'difference_not_open') return 'DIFFERENCE_NOT_OPEN'
      if (result === 'already_refunded') return 'PAYOUT_ALREADY_REFUNDED'
      if (result === 'not_refundable') return 'PAYOUT_NOT_REFUNDABLE'
      return result === 'insufficient_balance' ? 'INSUFFICIENT_BALANCE' : null
    },
    credit_deposit: async ({ depositId, reviewCode }, proposal) => {
      const deposit = await ports.deposits.find(depositId)
      const isOpen = deposit?.status === 'in_review' && isOpenReview(deposit)
      if (isOpen && screeningCodeOf(deposit) !== reviewCode) return 'DEPOSIT_NOT_CREDITABLE'
      return failureOf(await reviewDeposits(ports).credit(authorOf(proposal), depositId))
    },
    close_deposit: async ({ depositId }, proposal) =>
      failureOf(await reviewDeposits(ports).close(authorOf(proposal), depositId)),
    close_deposits: async ({ tenantId, depositIds }, proposal) => {
      const result = await closeReviews(ports, authorOf(proposal), tenantId, depositIds)
      return result === 'not_open' ? 'DEPOSIT_ALREADY_RESOLVED' : null
    },
    return_deposit: async ({ depositId, toAddress, txHash }, proposal) =>
      failureOf(await reviewDeposits(ports).return(authorOf(proposal), depositId, { toAddress, txHash })),
    settle_payout: async (action, proposal) => {
      const result = await decidePayout(ports, action, authorOf(proposal))
      if (result === 'contradicts_network') return 'CONTRADICTS_NETWORK'
      return result === 'already_ended' ? 'PAYOUT_ALREADY_ENDED' : null
    },
  }
  const byType = executors as Readonly<Partial<Record<ProposalAction['type'], Executor<ProposalAction>>>>
  // The commit of the approval has executed every other action.
  return async (proposal) => (await byType[proposal.action.type]?.(proposal.action, proposal)) ?? null
}

const authorOf = ({ id, proposedBy, reason }: ApprovedProposal) => ({ proposalId: id, actor: proposedBy, reason })

function failureOf(result: ReviewResult<Deposit>): ProposalFailure | null {
  if (result.type === 'resolved' || result.code === 'not_approved') return null
  if (result.code === 'transaction_used') return 'TRANSACTION_ALREADY_RECORDED'
  return result.code === 'not_creditable' ? 'DEPOSIT_NOT_CREDITABLE' : 'DEPOSIT_ALREADY_RESOLVED'
}
