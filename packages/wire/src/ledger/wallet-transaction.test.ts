import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { walletTransactionToJson } from './wallet-transaction.ts'

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
