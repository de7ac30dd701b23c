import { usdt } from '../money.ts'
import type { PendingDeposit } from './deposit.ts'

/** A deposit to which no review code applies. */
export const someDeposit: PendingDeposit = {
  id: 'dep_00000000000000000000000001',
  tenantId: 'ten_00000000000000000000000001',
  chain: 'tron',
  txHash: 'ab'.repeat(32),
  transferIndex: 3,
  address: 'Tours',
  fromAddress: 'Ttheirs',
  amount: usdt(25_000_000n),
  createdAt: new Date('2026-03-01T11:59:00.000Z'),
  status: 'pending',
}
