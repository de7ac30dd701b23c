import { type Deposit, type DepositStatus, type ReviewCode, usdt } from '@quipu/core'
import type { Chain } from '@quipu/core/adapter'

/** A row of `quipu.deposit`, as `depositColumns` names it. */
export type DepositRow = {
  readonly id: string
  readonly tenant_id: string
  readonly chain: Chain
  readonly tx_hash: string
  readonly transfer_index: number
  readonly address: string
  readonly from_address: string
  readonly amount: bigint
  readonly created_at: Date
  readonly status: DepositStatus
  readonly credited_at: Date
  readonly review_code: ReviewCode
  readonly closed_at: Date | null
  readonly closed_by: string | null
  readonly close_reason: string
}

/** The columns of table `d` that `depositFromRow` needs. */
export const depositColumns: string = `
  d.id, d.tenant_id, d.chain, d.tx_hash, d.transfer_index, d.address, d.from_address, d.amount,
  d.created_at, d.status, d.credited_at, d.review_code, d.closed_at, d.closed_by, d.close_reason`

export function depositFromRow(row: DepositRow): Deposit {
  const seen = {
    id: row.id,
    tenantId: row.tenant_id,
    chain: row.chain,
    txHash: row.tx_hash,
    transferIndex: row.transfer_index,
    address: row.address,
    fromAddress: row.from_address,
    amount: usdt(row.amount),
    createdAt: row.created_at,
  }
  switch (row.status) {
    case 'pending':
      return { ...seen, status: row.status }
    case 'credited':
      return { ...seen, status: row.status, creditedAt: row.credited_at }
    case 'in_review': {
      const { closed_at: at, closed_by: actor, close_reason: reason } = row
      const closed = at === null ? null : { at, actor, reason }
      return { ...seen, status: row.status, reviewCode: row.review_code, closed }
    }
  }
}
