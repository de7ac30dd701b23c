import { type Deposit, toDecimal } from '@quipu/core'
import { instantToJson } from '../json/instant.ts'
import type { DepositJson } from './deposit.ts'

/** A deposit as tenants see it. */
export function depositToJson(deposit: Deposit): DepositJson {
  const closed = deposit.status === 'in_review' ? deposit.closed : null
  return {
    ...depositMembersToJson(deposit),
    closed_at: closed && instantToJson(closed.at),
    close_reason: closed && closed.reason,
  }
}

/** @source spec §2 Deposit: these members, in this order */
export const depositMembersToJson = (deposit: Deposit): Omit<DepositJson, 'closed_at' | 'close_reason'> => ({
  id: deposit.id,
  chain: deposit.chain,
  tx_hash: deposit.txHash,
  transfer_index: deposit.transferIndex,
  address: deposit.address,
  from_address: deposit.fromAddress,
  currency: 'USDT',
  amount: toDecimal(deposit.amount),
  status: deposit.status,
  review_code: deposit.status === 'in_review' ? deposit.reviewCode : null,
  created_at: instantToJson(deposit.createdAt),
  credited_at: deposit.status === 'credited' ? instantToJson(deposit.creditedAt) : null,
})
