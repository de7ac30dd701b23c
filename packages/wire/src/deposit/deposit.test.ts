import { type Deposit, usdt } from '@quipu/core'
import { reviewCodes } from '@quipu/core/adapter'
import { describe, expect, test } from 'vitest'
import { depositToJson } from './deposit-to-json.ts'

const seen = {
  id: 'dep_01KAGZ8M88000000000000000F',
  tenantId: 'ten_1',
  chain: 'tron',
  txHash: 'ab'.repeat(32),
  transferIndex: 2,
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  fromAddress: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA',
  amount: usdt(25_000_000n),
  createdAt: new Date('2026-11-20T15:04:05.006Z'),
} as const
const json = {
  id: 'dep_01KAGZ8M88000000000000000F',
  chain: 'tron',
  tx_hash: 'ab'.repeat(32),
  transfer_index: 2,
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  from_address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA',
  currency: 'USDT',
  amount: '25.000000',
  status: 'pending',
  review_code: null,
  created_at: '2026-11-20T15:04:05.006Z',
  credited_at: null,
  closed_at: null,
  close_reason: null,
}

/** The text, since the order of members counts. */
const expectJson = (given: Deposit, expected: object): void =>
  expect(JSON.stringify(depositToJson(given))).toBe(JSON.stringify(expected))

describe('spec §2 Deposit', () => {
  test('a pending deposit has exactly these members, in this order: nothing credited', () => {
    expectJson({ ...seen, status: 'pending' }, json)
  })

  test('review_code is null when credited, and credited_at says when', () => {
    const creditedAt = new Date('2026-11-20T15:05:05.000Z')
    expectJson(
      { ...seen, status: 'credited', creditedAt },
      { ...json, status: 'credited', credited_at: '2026-11-20T15:05:05.000Z' },
    )
  })

  test('review_code says why a deposit is in review; credited_at is null', () => {
    for (const reviewCode of reviewCodes)
      expectJson(
        { ...seen, status: 'in_review', reviewCode, closed: null },
        { ...json, status: 'in_review', review_code: reviewCode },
      )
  })

  test('a closed review is still in_review, and shows when and why it was closed, not by whom', () => {
    const closed = { at: seen.createdAt, actor: 'olivia', reason: 'Returned.' }
    expectJson(
      { ...seen, status: 'in_review', reviewCode: 'SENDER_BLOCKED', closed },
      {
        ...json,
        status: 'in_review',
        review_code: 'SENDER_BLOCKED',
        closed_at: '2026-11-20T15:04:05.006Z',
        close_reason: 'Returned.',
      },
    )
  })

  test('an amount above what the ledger carries is shown whole', () => {
    const amount = usdt(2n ** 256n - 1n)
    expect(depositToJson({ ...seen, amount, status: 'pending' }).amount).toBe(
      '115792089237316195423570985008687907853269984665640564039457584007913129.639935',
    )
  })
})
