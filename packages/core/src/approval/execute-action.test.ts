import { expect, test } from 'vitest'
import { someDeposit } from '../deposit/deposit.fixture.ts'
import type { Deposit, DepositInReview } from '../deposit/deposit.ts'
import type { DepositCommit, DepositCommitResult } from '../deposit/ports.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { Adjustment, WalletStore } from '../ledger/ports.ts'
import { usdt } from '../money.ts'
import type { DecidedSettlement, PayoutDecisionStore } from '../payout/decision-ports.ts'
import { completed, processing } from '../payout/payout.fixture.ts'
import type { Payout } from '../payout/payout.ts'
import type { CreditDeposit, ProposalAction, SettlePayout } from '../proposal/action.ts'
import { executeAction } from './execute-action.ts'
import { after, draft } from '../proposal/proposal.fixture.ts'

const review: DepositInReview = { ...someDeposit, status: 'in_review', reviewCode: 'SENDER_BLOCKED', closed: null }
const closed = { ...review, closed: { at: after(0), actor: 'ben', reason: 'sent back' } }
const dropped: Deposit = { ...review, reviewCode: 'TRANSFER_DROPPED' }

type Answers = {
  readonly adjust: Awaited<ReturnType<WalletStore['adjust']>>
  readonly deposit: Deposit | undefined
  readonly commit: DepositCommitResult
  readonly payout: Payout | undefined
  readonly settle: Awaited<ReturnType<PayoutDecisionStore['settle']>>
}

/** Executes the action over stores that answer so. */
async function execute(action: ProposalAction, changed: Partial<Answers> = {}) {
  const answers: Answers = {
    adjust: 'committed',
    deposit: review,
    commit: 'committed',
    payout: processing,
    settle: 'committed',
    ...changed,
  }
  const written: (Adjustment | DepositCommit | DecidedSettlement)[] = []
  const failure = await executeAction({
    wallets: {
      adjust: async (adjustment) => {
        written.push(adjustment)
        return answers.adjust
      },
    },
    deposits: {
      closeReviews: async () => 'not_approved',
      find: async (id) => (id === review.id ? answers.deposit : undefined),
      commit: async (write) => {
        written.push(write)
        return answers.commit
      },
    },
    payoutDecisions: {
      find: async () =>
        answers.payout && { payout: answers.payout, isAsked: true, networkPaid: null, isRefunded: false },
      settle: async (settlement) => {
        written.push(settlement)
        return answers.settle
      },
    },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => after(2),
  })({ ...draft, action, status: 'approved', approval: { at: after(1), by: 'eva' } })
  return { failure, written }
}

const adjustment = {
  id: draft.id,
  tenantId: draft.tenantId,
  direction: 'in',
  amount: usdt(5000000n),
  reason: draft.reason,
  actor: 'ana',
}
const author = { proposalId: draft.id, actor: 'ana', reason: draft.reason }
const ofDeposit = { depositId: review.id, amount: review.amount }
const credit: CreditDeposit = { type: 'credit_deposit', ...ofDeposit }
const close = { type: 'close_deposit', ...ofDeposit } as const
const settle: SettlePayout = {
  type: 'settle_payout',
  payoutId: 'po_1',
  outcome: 'completed',
  paid: processing.target,
  networkPaymentId: 'pay-1',
}

test('an adjustment is in the name of the proposer, with the difference that it books, if any', async () => {
  expect((await execute(draft.action)).written).toStrictEqual([adjustment])
  const booked = { ...draft.action, differenceId: 'dif_1' }
  expect((await execute(booked)).written).toStrictEqual([{ ...adjustment, differenceId: 'dif_1' }])
})

test.each([
  ['committed', null],
  // A concurrent call executed it.
  ['stale', null],
  ['not_approved', null],
  ['insufficient_balance', 'INSUFFICIENT_BALANCE'],
  ['difference_not_open', 'DIFFERENCE_NOT_OPEN'],
] as const)('an adjustment that is %s fails with %s', async (adjust, failure) => {
  expect(await execute(draft.action, { adjust })).toMatchObject({ failure })
})

test('a deposit is credited or closed in the name of the proposer', async () => {
  expect(await execute(credit)).toMatchObject({
    failure: null,
    written: [{ kind: 'credit', ...author, step: { deposit: { status: 'credited' } } }],
  })
  expect(await execute(close)).toMatchObject({
    failure: null,
    written: [
      {
        kind: 'close',
        proposalId: draft.id,
        step: { deposit: { closed: { at: after(2), actor: 'ana', reason: draft.reason } } },
      },
    ],
  })
})

test.each<[string | null, string | null, Partial<Answers>]>([
  [null, null, { commit: 'not_approved' }],
  ['DEPOSIT_ALREADY_RESOLVED', 'DEPOSIT_ALREADY_RESOLVED', { deposit: closed }],
  ['DEPOSIT_NOT_CREDITABLE', null, { deposit: dropped }],
])('a credit fails with %s and a closure with %s', async (credited, closure, answers) => {
  expect(await execute(credit, answers)).toMatchObject({ failure: credited })
  expect(await execute(close, answers)).toMatchObject({ failure: closure })
})

test('a payout is settled as proposed, in the name of the proposer', async () => {
  expect(await execute(settle)).toMatchObject({
    failure: null,
    written: [{ ...author, action: settle, step: { payout: { status: 'completed' } } }],
  })
})

test.each<[string | null, Partial<Answers>]>([
  [null, { settle: 'not_approved' }],
  ['PAYOUT_ALREADY_ENDED', { settle: 'stale' }],
  ['PAYOUT_ALREADY_ENDED', { payout: completed.payout }],
])('a settlement fails with %s', async (failure, answers) => {
  expect(await execute(settle, answers)).toMatchObject({ failure })
})

test('what the approval has executed writes nothing more', async () => {
  const expiresAt = after(86_400)
  const executed: readonly ProposalAction[] = [
    { type: 'change_limits', tenantId: 'ten_1', limits: {} },
    {
      type: 'issue_operator_token',
      tokenId: 'opt_1',
      person: 'eva',
      label: 'laptop',
      role: 'operator',
      fingerprint: 'ab',
      expiresAt,
    },
    {
      type: 'issue_api_key',
      keyId: 'key_1',
      name: 'till',
      lastFour: '4F2A',
      scopes: ['payouts:read'],
      expiresAt,
      replaces: null,
      allowedAddresses: null,
    },
  ]
  for (const action of executed) expect(await execute(action)).toEqual({ failure: null, written: [] })
})
