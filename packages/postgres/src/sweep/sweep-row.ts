import { usdt } from '@quipu/core'
import type { Chain } from '@quipu/core/adapter'
import type { SweepBatch, SweepTransfer } from '@quipu/core/operator'

/** A row of `quipu.sweep_transfer`, as `transferColumns` names it. */
export type TransferRow = {
  readonly id: string
  readonly batch_id: string
  readonly account: string
  readonly address: string
  readonly index: number
  readonly amount: bigint
  readonly tx_hash: string
  readonly raw: string
  readonly transaction: string
  readonly expires_at: Date
  readonly energy: bigint
  readonly fee_limit: bigint
  readonly trx_needed: bigint
  readonly trx_missing: bigint
  readonly status: SweepTransfer['status']
  readonly signature: string | null
  readonly sent_at: Date | null
  readonly problem: SweepTransfer['problem']
  readonly ended_at: Date | null
}

/** The columns of table `t` that `transferFromRow` needs. */
export const transferColumns = `t.id, t.batch_id, t.account, t.address, t.index, t.amount, t.tx_hash,
  encode(t.raw, 'hex') as raw, t.transaction, t.expires_at, t.energy, t.fee_limit, t.trx_needed, t.trx_missing,
  t.status, encode(t.signature, 'hex') as signature, t.sent_at, t.problem, t.ended_at`

export const transferFromRow = (row: TransferRow): SweepTransfer => ({
  id: row.id,
  batchId: row.batch_id,
  account: row.account,
  address: row.address,
  index: row.index,
  amount: usdt(row.amount),
  txHash: row.tx_hash,
  rawHex: row.raw,
  transaction: row.transaction,
  expiresAt: row.expires_at,
  energy: row.energy,
  feeLimit: row.fee_limit,
  trxNeeded: row.trx_needed,
  trxMissing: row.trx_missing,
  status: row.status,
  signature: row.signature,
  sentAt: row.sent_at,
  problem: row.problem,
  endedAt: row.ended_at,
})

/** A transfer as `plan_sweep` reads it. Numbers are texts, as JSON cannot hold 64 bits. */
export const transferItem = (transfer: SweepTransfer): Readonly<Record<string, string | number>> => ({
  id: transfer.id,
  account: transfer.account,
  address: transfer.address,
  index: transfer.index,
  amount: transfer.amount.minor.toString(),
  tx_hash: transfer.txHash,
  raw: transfer.rawHex,
  transaction: transfer.transaction,
  energy: transfer.energy.toString(),
  fee_limit: transfer.feeLimit.toString(),
  trx_needed: transfer.trxNeeded.toString(),
  trx_missing: transfer.trxMissing.toString(),
})

/** A row of `quipu.sweep_batch`, as `batchColumns` names it. */
export type BatchRow = {
  readonly id: string
  readonly chain: Chain
  readonly treasury_account: string
  readonly treasury: string
  readonly threshold: bigint
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** The columns of table `b` that `batchFromRow` needs. */
export const batchColumns = `b.id, b.chain, b.treasury_account, b.treasury, b.threshold, b.created_by,
  b.created_at, b.expires_at`

export const batchFromRow = (row: BatchRow): SweepBatch => ({
  id: row.id,
  chain: row.chain,
  treasury: { account: row.treasury_account, address: row.treasury },
  threshold: usdt(row.threshold),
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
