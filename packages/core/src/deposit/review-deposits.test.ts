import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { MAX_MINOR, usdt } from '../money.ts'
import { someDeposit } from './deposit.fixture.ts'
import type { CreditedDeposit, Deposit, DepositInReview } from './deposit.ts'
import type { DepositCommit, DepositCommitResult } from './ports.ts'
import { reviewDeposits } from './review-deposits.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const author = { proposalId: 'prp_1', actor: 'ana', reason: 'a known sender' }
const review: DepositInReview = { ...someDeposit, status: 'in_review', reviewCode: 'SENDER_BLOCKED', closed: null }
const closed = { ...review, closed: { at: now, actor: 'ben', reason: 'sent back' } }
const credited: CreditedDeposit = { ...someDeposit, status: 'credited', creditedAt: now }
const dropped = { ...review, reviewCode: 'TRANSFER_DROPPED' } as const

/** Reviews a deposit that the store finds as it then stands, and whose commits have these results. */
function harness(found: readonly (Deposit | undefined)[], results: readonly DepositCommitResult[]) {
  const written: DepositCommit[] = []
  const [deposits, answers] = [[...found], [...results]]
  const commit = async (write: DepositCommit) => {
    written.push(write)
    return answers.shift() ?? expect.fail('it was not asked for')
  }
  const ports = { deposits: { find: async () => deposits.shift(), commit }, encodeEvent: encodeForTest }
  return { reviews: reviewDeposits({ ...ports, ids: countingIds(), now: () => now }), written }
}

test('answers the instant that the commit recorded', async () => {
  const redatedTo = new Date(now.getTime() + 2)
  const { reviews } = harness([review, review], [{ redatedTo }, { redatedTo }])
  expect(await reviews.credit(author, 'dep_1')).toMatchObject({ deposit: { creditedAt: redatedTo } })
  expect(await reviews.close(author, 'dep_1')).toMatchObject({ deposit: { closed: { at: redatedTo } } })
})

test('starts again with the deposit as another write left it', async () => {
  const other = { ...review, reviewCode: 'TOKEN_STATE_CHANGED' } as const
  const { reviews, written } = harness([review, other, closed], ['stale', 'stale'])
  expect(await reviews.close(author, 'dep_1')).toEqual({ type: 'refused', code: 'already_resolved' })
  const reviewed = written.map(({ step: { deposit } }) => 'reviewCode' in deposit && deposit.reviewCode)
  expect(reviewed).toEqual(['SENDER_BLOCKED', 'TOKEN_STATE_CHANGED'])
})

test.each<[string | null, string | null, Deposit | undefined]>([
  ['not_found', 'not_found', undefined],
  ['not_in_review', 'not_in_review', someDeposit],
  ['already_resolved', 'already_resolved', credited],
  ['already_resolved', 'already_resolved', closed],
  ['not_creditable', null, dropped],
  ['not_creditable', null, { ...review, amount: usdt(MAX_MINOR + 1n) }],
  [null, null, { ...review, amount: usdt(MAX_MINOR) }],
])('a credit or a return is refused as %s, and a closure as %s', async (credit, close, deposit) => {
  const { reviews } = harness([deposit, deposit, deposit], ['committed', 'committed', 'committed'])
  const expected = (code: string | null) => (code === null ? { type: 'resolved' } : { type: 'refused', code })
  expect(await reviews.credit(author, 'dep_1')).toMatchObject(expected(credit))
  expect(await reviews.close(author, 'dep_1')).toMatchObject(expected(close))
  expect(await reviews.return(author, 'dep_1', { toAddress: 'T', txHash: '00' })).toMatchObject(expected(credit))
})
