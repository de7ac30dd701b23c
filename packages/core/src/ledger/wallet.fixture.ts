import { usdt } from '../money.ts'
import { noDailyUse } from '../limit/daily-limits.ts'
import type { Wallet } from './ledger.ts'

/** A wallet of USDT 6.00 available and 4.00 held. */
export const someWallet: Wallet = {
  id: 'wal_1',
  tenantId: 'ten_1',
  available: usdt(6_000_000n),
  held: usdt(4_000_000n),
  usedToday: noDailyUse,
  lowBalanceThreshold: null,
  createdAt: new Date('2026-11-18T09:00:00.000Z'),
  updatedAt: new Date('2026-11-18T09:00:00.000Z'),
}
