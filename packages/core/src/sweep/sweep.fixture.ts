import { usdt } from '../money.ts'
import type { SweepAddress } from './ports.ts'
import type { SweepBatch, SweepTransfer } from './sweep.ts'

export const start: Date = new Date('2026-03-04T05:06:07.089Z')
export const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000)

export const treasury: SweepBatch['treasury'] = { account: 'treasury', address: 'T-treasury' }

/** The batch of `transferWith`, which expires after an hour. */
export const batch: SweepBatch = {
  id: 'swb_1',
  chain: 'tron',
  treasury,
  threshold: usdt(1000000n),
  createdBy: 'ana',
  createdAt: start,
  expiresAt: after(3600),
}

/** A planned transfer of 5 USDT. */
export const transferWith = (over: Partial<SweepTransfer> = {}): SweepTransfer => ({
  txHash: 'aa',
  rawHex: 'bb',
  transaction: '{}',
  expiresAt: batch.expiresAt,
  energy: 64285n,
  feeLimit: 30n,
  trxNeeded: 20n,
  trxMissing: 0n,
  id: 'swp_1',
  batchId: batch.id,
  account: 'account 1',
  address: 'T-1',
  index: 1,
  amount: usdt(5000000n),
  status: 'planned',
  signature: null,
  sentAt: null,
  problem: null,
  endedAt: null,
  ...over,
})

/** The address that an index derives, which has received 5 USDT by the database. */
export const addressWith = (index: number, over: Partial<SweepAddress> = {}): SweepAddress => ({
  tenantId: 'ten_1',
  account: `account ${index}`,
  address: `T-${index}`,
  index,
  createdAt: start,
  received: usdt(5000000n),
  swept: usdt(0n),
  liveTransferId: null,
  hasOpenReview: false,
  ...over,
})
