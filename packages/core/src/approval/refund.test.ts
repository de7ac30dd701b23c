import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import { completed, processing } from '../payout/payout.fixture.ts'
import { after, draft } from '../proposal/proposal.fixture.ts'
import type { OpenProposal } from '../proposal/proposal.ts'
import { refundOf } from './refund.ts'

const { payout } = completed
const price = payout.quote.source
const other: OpenProposal = { ...draft, status: 'open' }
const refund: OpenProposal = { ...other, action: { ...draft.action, payoutId: payout.id } }

/** The refund of a payout while these proposals are open, one a page. */
const refundWith = async (amount: bigint | null, open: readonly OpenProposal[] = [], over = {}) =>
  refundOf(
    {
      payoutDecisions: { find: async () => ({ payout, isAsked: true, networkPaid: null, isRefunded: false, ...over }) },
      proposals: {
        list: async ({ after: position }) => {
          const at = Number(position?.id ?? 0)
          const next = at + 1 < open.length ? { createdAt: after(0), id: String(at + 1) } : null
          return { items: open.slice(at, at + 1), next }
        },
      },
      now: () => after(0),
    },
    payout.id,
    amount === null ? null : usdt(amount),
  )

test('a refund is the price, or less of it', async () => {
  for (const amount of [null, price.minor, 1n])
    expect(await refundWith(amount, [other])).toMatchObject({
      amount: usdt(amount ?? price.minor),
      payoutId: payout.id,
    })
  expect(await refundWith(price.minor + 1n)).toBe('not_refundable')
})

test('a payout has one refund, also an open one, on whatever page', async () => {
  expect(await refundWith(null, [other, refund])).toBe('already_refunded')
  expect(await refundWith(null, [], { isRefunded: true })).toBe('already_refunded')
  expect(await refundWith(null, [], { payout: processing })).toBe('not_refundable')
})
