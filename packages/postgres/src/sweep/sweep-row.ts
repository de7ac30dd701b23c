import { usdt } from '@quipu/core'
import type { SweepBatch, SweepTransfer } from '@quipu/core/operator'
import { membersOf } from '../members.ts'

/** A row of `quipu.sweep_transfer`, as `transferColumns` names it. */
export type TransferRow = Omit<SweepTransfer, 'amount'> & { readonly amount: bigint }

/** The columns of table `t` that `transferFromRow` needs. */
export const transferColumns: string = `${membersOf(
  't',
  'id batch_id account address index amount tx_hash transaction expires_at energy fee_limit trx_needed trx_missing',
)}, encode(t.raw, 'hex') as "rawHex", encode(t.signature, 'hex') as signature,
  ${membersOf('t', 'status sent_at problem ended_at')}`

export const transferFromRow = ({ amount, ...row }: TransferRow): SweepTransfer => ({ ...row, amount: usdt(amount) })

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
export type BatchRow = Omit<SweepBatch, 'treasury' | 'threshold'> & {
  readonly treasury: string
  readonly treasuryAccount: string
  readonly threshold: bigint
}

/** The columns of table `b` that `batchFromRow` needs. */
export const batchColumns: string = membersOf(
  'b',
  'id chain treasury treasury_account threshold created_by created_at expires_at',
)

export const batchFromRow = ({
  treasury: address,
  treasuryAccount: account,
  threshold,
  ...row
}: BatchRow): SweepBatch => ({ ...row, treasury: { account, address }, threshold: usdt(threshold) })
