import { type Deposit, toDecimal, usdt } from '@quipu/core'
import { reviewCodes } from '@quipu/core/adapter'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deposit, depositPage, depositStatuses, parseDepositList } from './deposit.ts'
import { txHashText } from '../json/chain.ts'
import { depositToJson } from './deposit-to-json.ts'
import { anyDeposit } from './funding.fixture.ts'
import { pageToJson } from '../list/list.ts'

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

  test('status is pending, credited or in_review', () => {
    expect(depositStatuses).toEqual(['pending', 'credited', 'in_review'])
  })

  test('an amount above what the ledger carries is shown whole', () => {
    const amount = usdt(2n ** 256n - 1n)
    expect(depositToJson({ ...seen, amount, status: 'pending' }).amount).toBe(
      '115792089237316195423570985008687907853269984665640564039457584007913129.639935',
    )
  })

  test('every deposit satisfies its schema, and no member has the tenant’s id', () => {
    fc.assert(
      fc.property(anyDeposit, (given) => {
        const shown = depositToJson(given)
        expect(deposit.parse(shown)).toEqual(shown)
        expect(Object.keys(shown)).toEqual(Object.keys(json))
        expect(shown.amount).toBe(toDecimal(given.amount))
      }),
    )
  })
})

test('the id of a transaction has 64 lowercase hexadecimal digits, and nothing around them', () => {
  const accepts = (txHash: string): boolean => txHashText.safeParse(txHash).success
  const hash = '5e'.repeat(32)
  expect(accepts(hash)).toBe(true)
  const others = [`0${hash}`, `${hash}0`, hash.toUpperCase(), 'x'.repeat(64), '5e', '']
  expect(others.filter(accepts)).toEqual([])
})

describe('the query of GET /v1/deposits', () => {
  const read = (search: string, tenant = 'ten_1') => {
    const parsed = parseDepositList(tenant, search)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
    return parsed.value
  }
  const refusal = (search: string): string[] => {
    const parsed = parseDepositList('ten_1', search)
    return parsed.ok ? [] : parsed.issues.map(({ field }) => field)
  }

  test('takes status, from, to, limit and cursor', () => {
    const filters = 'status=in_review&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z'
    const { query, scope } = read(`${filters}&limit=7`)
    expect(query).toEqual({
      limit: 7,
      status: 'in_review',
      from: new Date('2026-11-20T00:00:00Z'),
      to: new Date('2026-11-21T00:00:00Z'),
    })
    const position = { createdAt: seen.createdAt, id: seen.id }
    const page = pageToJson({ items: [], next: position }, depositToJson, scope)
    expect(depositPage.parse(page)).toEqual(page)
    expect(read(`${filters}&cursor=${page.next_cursor}`).query.after).toEqual(position)
    expect(refusal(`cursor=${page.next_cursor}`)).toEqual(['cursor'])
    expect(parseDepositList('ten_2', `${filters}&cursor=${page.next_cursor}`).ok).toBe(false)
  })

  test('refuses an unknown status, a period without a zone or in reverse, and typos', () => {
    expect(refusal('status=closed')).toEqual(['status'])
    expect(refusal('from=2026-11-20')).toEqual(['from'])
    expect(refusal('from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z')).toEqual(['from'])
    expect(refusal('limit=101&state=pending')).toEqual(['limit', 'state'])
    expect(refusal('status=pending&status=pending')).toEqual(['status'])
  })
})
