import { expect, test } from 'vitest'
import { someDeposit } from '../deposit/deposit.fixture.ts'
import type { Deposit } from '../deposit/deposit.ts'
import type { DepositCommitResult } from '../deposit/ports.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { WalletStore } from '../ledger/ports.ts'
import type { PayoutDecisionStore } from '../payout/decision-ports.ts'
import { completed, processing } from '../payout/payout.fixture.ts'
import type { Payout } from '../payout/payout.ts'
import type { ProposalAction } from '../proposal/action.ts'
import type { ProposalFailure } from '../proposal/proposal.ts'
import { after, draft } from '../proposal/proposal.fixture.ts'
import { executeAction } from './execute-action.ts'

const review: Deposit = { ...someDeposit, status: 'in_review', reviewCode: 'SENDER_BLOCKED', closed: null }
const closed: Deposit = { ...review, closed: { at: after(0), actor: 'ben', reason: 'sent back' } }

type Answers = {
  readonly adjust?: Awaited<ReturnType<WalletStore['adjust']>>
  readonly deposit?: Deposit
  readonly commit?: DepositCommitResult
  readonly payout?: Payout
  readonly networkPaid?: string
  readonly settle?: Awaited<ReturnType<PayoutDecisionStore['settle']>>
}

/** The failure of an approved action over stores that answer so. */
const failureOf = (action: ProposalAction, answers: Answers) =>
  executeAction({
    wallets: { adjust: async () => answers.adjust ?? 'committed' },
    deposits: {
      closeReviews: async () => 'not_approved',
      find: async () => answers.deposit ?? review,
      commit: async () => answers.commit ?? 'committed',
    },
    payoutDecisions: {
      find: async () => {
        const { payout = processing, networkPaid = null } = answers
        return { payout, isAsked: true, networkPaid, isRefunded: false }
      },
      settle: async () => answers.settle ?? 'committed',
    },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => after(2),
  })({ ...draft, action, status: 'approved', approval: { at: after(1), by: 'eva' } })

const credit = { type: 'credit_deposit', depositId: review.id, amount: review.amount } as const
const sentBack = { ...credit, type: 'return_deposit', toAddress: 'T', txHash: '00' } as const
const paid = { outcome: 'completed', paid: processing.target, networkPaymentId: 'pay-1' } as const
const settle = { type: 'settle_payout', payoutId: 'po_1', ...paid } as const
const said = { ...settle, contradictsNetwork: true } as const
const networkPaid = 'BOB 201.00, payment QN5'

test.each<[ProposalAction, Answers, ProposalFailure | null]>([
  [draft.action, { adjust: 'stale' }, null], // A concurrent call executed it.
  [draft.action, { adjust: 'difference_not_open' }, 'DIFFERENCE_NOT_OPEN'],
  [draft.action, { adjust: 'already_refunded' }, 'PAYOUT_ALREADY_REFUNDED'],
  [draft.action, { adjust: 'not_refundable' }, 'PAYOUT_NOT_REFUNDABLE'],
  [credit, { deposit: { ...review, reviewCode: 'TRANSFER_DROPPED' } }, 'DEPOSIT_NOT_CREDITABLE'],
  // Its sender was listed after the proposal.
  [credit, { deposit: { ...review, reviewCode: 'SENDER_LISTED' } }, 'DEPOSIT_NOT_CREDITABLE'],
  [credit, { deposit: closed }, 'DEPOSIT_ALREADY_RESOLVED'],
  [sentBack, { commit: 'transaction_used' }, 'TRANSACTION_ALREADY_RECORDED'],
  [settle, {}, null],
  [settle, { settle: 'stale' }, 'PAYOUT_ALREADY_ENDED'],
  [settle, { payout: completed.payout }, 'PAYOUT_ALREADY_ENDED'],
  [settle, { networkPaid }, 'CONTRADICTS_NETWORK'],
  [said, { networkPaid }, null],
])('%o over %o fails with %s', async (action, answers, failure) => {
  expect(await failureOf(action, answers)).toBe(failure)
})
