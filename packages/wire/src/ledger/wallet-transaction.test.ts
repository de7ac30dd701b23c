import { usdt } from '@quipu/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyWalletTransaction } from '../deposit/funding.fixture.ts'
import { pageToJson } from '../list/list.ts'
import { parseWalletTransactionList, walletTransaction, walletTransactionToJson } from './wallet-transaction.ts'

test('a row has exactly these members', () => {
  const row = {
    seq: 7n,
    id: 'wtx_01KAGZ8M880000000000000007',
    direction: 'out',
    type: 'payout',
    amount: usdt(10_203_353n),
    balanceAfter: usdt(989_796_647n),
    payoutId: 'po_01KAGZ8M88000000000000000C',
    depositId: null,
    transactionId: 'order-1',
    createdAt: new Date('2026-11-20T15:04:06.000Z'),
  } as const
  expect(walletTransactionToJson(row)).toEqual({
    id: 'wtx_01KAGZ8M880000000000000007',
    direction: 'out',
    type: 'payout',
    currency: 'USDT',
    amount: '10.203353',
    balance_after: '989.796647',
    payout_id: 'po_01KAGZ8M88000000000000000C',
    deposit_id: null,
    transaction_id: 'order-1',
    created_at: '2026-11-20T15:04:06.000Z',
  })
})

test('every row satisfies its schema', () => {
  fc.assert(
    fc.property(anyWalletTransaction, (row) => {
      const json = walletTransactionToJson(row)
      expect(walletTransaction.parse(json)).toEqual(json)
    }),
  )
})

test('the list is filtered by direction, type and time, and its cursors are valid for it alone', () => {
  const read = (search: string) => parseWalletTransactionList('ten_1', search)
  const parsed = read('direction=in&type=deposit&from=2026-11-20T00:00:00Z&limit=3')
  const from = new Date('2026-11-20T00:00:00Z')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  const { query, scope } = parsed.value
  expect(query).toEqual({ limit: 3, direction: 'in', type: 'deposit', from })
  const next = { createdAt: from, id: 'wtx_01KAGZ8M880000000000000007' }
  const { next_cursor } = pageToJson({ items: [], next }, walletTransactionToJson, scope)
  expect(read(`direction=in&cursor=${next_cursor}`)).toMatchObject({ ok: false })
  for (const [search, field] of [
    ['direction=both', 'direction'],
    ['type=hold', 'type'],
    ['status=completed', 'status'],
  ] as const)
    expect(read(search)).toMatchObject({ ok: false, issues: [{ field }] })
})
