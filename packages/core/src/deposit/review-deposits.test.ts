import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { MAX_MINOR, usdt } from '../money.ts'
import { someDeposit } from './deposit.fixture.ts'
import type { CreditedDeposit, Deposit, DepositInReview } from './deposit.ts'
import type { DepositCommit, DepositCommitResult } from './ports.ts'
import { reviewDeposits, reviewRefusal } from './review-deposits.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const author = { proposalId: 'prp_1', actor: 'ana', reason: 'a known sender' }
const review: DepositInReview = { ...someDeposit, status: 'in_review', reviewCode: 'SENDER_BLOCKED', closed: null }
const closed = { ...review, closed: { at: now, actor: 'ben', reason: 'sent back' } }
const credited: CreditedDeposit = { ...someDeposit, status: 'credited', creditedAt: now }

/** Reviews a deposit that the store finds as it then stands, and whose commits have these results. */
function harness(found: readonly (Deposit | undefined)[], results: readonly DepositCommitResult[]) {
  const written: DepositCommit[] = []
  const [deposits, answers] = [[...found], [...results]]
  const reviews = reviewDeposits({
    deposits: {
      find: async (id) => (id === review.id ? deposits.shift() : undefined),
      commit: async (write) => {
        written.push(write)
        return answers.shift() ?? expect.fail('it was not asked for')
      },
    },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => now,
  })
  return { reviews, written }
}
const refused = (code: string) => ({ type: 'refused', code })

test('a credit is the whole amount with its event, its author and its proposal', async () => {
  const { reviews, written } = harness([review], ['committed'])
  expect(await reviews.credit(author, review.id)).toEqual({ type: 'resolved', deposit: credited })
  expect(written).toEqual([
    {
      kind: 'credit',
      ...author,
      step: {
        deposit: credited,
        transfer: { type: 'deposit', amount: review.amount },
        event: expect.objectContaining({ type: 'deposit.credited', occurredAt: now }),
      },
    },
  ])
})

test('a closure has the actor, the instant and the reason, and its proposal', async () => {
  const { reviews, written } = harness([review], ['committed'])
  const after = { ...review, closed: { at: now, actor: 'ana', reason: 'a known sender' } }
  expect(await reviews.close(author, review.id)).toEqual({ type: 'resolved', deposit: after })
  const event = expect.objectContaining({ type: 'deposit.closed', occurredAt: now })
  const step = { deposit: after, transfer: null, event }
  expect(written).toEqual([{ kind: 'close', step, ...author }])
})

test('answers the instant that the commit recorded', async () => {
  const redatedTo = new Date(now.getTime() + 2)
  const { reviews } = harness([review], [{ redatedTo }])
  expect(await reviews.credit(author, review.id)).toMatchObject({
    type: 'resolved',
    deposit: { creditedAt: redatedTo },
  })
  const closing = harness([review], [{ redatedTo }])
  expect(await closing.reviews.close(author, review.id)).toMatchObject({
    type: 'resolved',
    deposit: { closed: { at: redatedTo } },
  })
})

test('is refused without an approved proposal, and written once', async () => {
  for (const method of ['credit', 'close'] as const) {
    const { reviews, written } = harness([review], ['not_approved'])
    expect(await reviews[method](author, review.id)).toEqual(refused('not_approved'))
    expect(written).toHaveLength(1)
  }
})

test('starts again with the deposit as another write left it', async () => {
  const other = { ...review, reviewCode: 'TOKEN_STATE_CHANGED' } as const
  const { reviews, written } = harness([review, other, closed], ['stale', 'stale'])
  expect(await reviews.close(author, review.id)).toEqual(refused('already_resolved'))
  expect(written.map(({ step }) => step.deposit)).toMatchObject([
    { reviewCode: 'SENDER_BLOCKED' },
    { reviewCode: 'TOKEN_STATE_CHANGED' },
  ])
})

test.each<[string | null, string | null, Deposit | undefined]>([
  ['not_found', 'not_found', undefined],
  ['not_in_review', 'not_in_review', someDeposit],
  ['already_resolved', 'already_resolved', credited],
  ['already_resolved', 'already_resolved', closed],
  ['not_creditable', null, { ...review, reviewCode: 'TRANSFER_DROPPED' }],
  ['not_creditable', null, { ...review, amount: usdt(MAX_MINOR + 1n) }],
  [null, null, { ...review, amount: usdt(MAX_MINOR) }],
])('a credit or a return is refused as %s, and a closure as %s', async (credit, close, deposit) => {
  expect(reviewRefusal(deposit, true)).toBe(credit)
  expect(reviewRefusal(deposit, false)).toBe(close)
  const { reviews } = harness([deposit, deposit, deposit], ['committed', 'committed', 'committed'])
  const expected = (code: string | null) => (code === null ? { type: 'resolved' } : refused(code))
  expect(await reviews.credit(author, review.id)).toMatchObject(expected(credit))
  expect(await reviews.close(author, review.id)).toMatchObject(expected(close))
  expect(await reviews.return(author, review.id, { toAddress: 'T', txHash: '00' })).toMatchObject(expected(credit))
})
