import {
  notBefore,
  post,
  type Transfer,
  walletTransactionId,
  type WalletTransaction,
} from '@quipu/core'
import type { Room, WalletRow } from './database.ts'

/** What a movement of money belongs to. */
export type Cause = Partial<Pick<WalletTransaction, 'payoutId' | 'depositId' | 'transactionId'>>

/** The wallet's newest instant, if it is later than this one. */
export const laterThan = (at: Date, { updatedAt }: WalletRow): Date | undefined =>
  updatedAt > at ? updatedAt : undefined

/**
 * Posts a transfer to the wallet, at this instant or at the wallet's newest one if that is later. False
 * when the balance would fall below zero: nothing moves then.
 */
export function move(
  { tenant, wallet }: Room,
  transfer: Transfer,
  cause: Cause,
  at: Date,
): boolean {
  const balance = post(wallet.balance, transfer)
  if (balance === undefined) return false
  wallet.balance = balance
  const createdAt = notBefore(at, wallet.updatedAt)
  wallet.updatedAt = createdAt
  wallet.transfers.push(transfer)
  const { transactions } = wallet
  const moved = movements[transfer.type]
  if (moved === null) return true
  const seq = BigInt(transactions.length + 1)
  transactions.push({
    seq,
    id: walletTransactionId(tenant.id, createdAt, seq),
    ...moved,
    amount: transfer.amount,
    balanceAfter: { currency: 'USDT', minor: balance.available.minor + balance.held.minor },
    payoutId: null,
    depositId: null,
    transactionId: null,
    ...cause,
    createdAt,
  })
  return true
}

/** Null where money stays in the wallet. */
const movements: Readonly<
  Record<Transfer['type'], Pick<WalletTransaction, 'direction' | 'type'> | null>
> = {
  hold: null,
  release: null,
  capture: { direction: 'out', type: 'payout' },
  deposit: { direction: 'in', type: 'deposit' },
  adjustment_in: { direction: 'in', type: 'adjustment' },
  adjustment_out: { direction: 'out', type: 'adjustment' },
}
