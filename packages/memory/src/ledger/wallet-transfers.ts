import type { WalletTransaction } from '@quipu/core'
import { type Balance, notBefore, postTransfer, type Transfer, walletTransactionId } from '@quipu/core/adapter'
import type { PayoutPosting } from '@quipu/core/operator'
import { append, type TenantData, type WalletRow } from '../table/database.ts'

/** The payout or deposit that a transfer belongs to. */
export type Cause = Partial<Pick<WalletTransaction, 'payoutId' | 'depositId' | 'transactionId'>>

/** Adds an entry to the tenant's log. @returns its instant: the given one, or that of the newest entry if it is later */
export function log(wallet: WalletRow, at: Date): Date {
  wallet.loggedAt = notBefore(at, wallet.loggedAt)
  wallet.updatedAt = notBefore(wallet.updatedAt, wallet.loggedAt)
  return wallet.loggedAt
}

/**
 * Posts a transfer to the wallet.
 *
 * @param createdAt the instant of its log entry; of a hold, which has none, the store's time
 * @returns false, and nothing moves, when the balance would fall below zero
 */
export function move({ tenant, wallet }: TenantData, transfer: Transfer, cause: Cause, createdAt: Date): boolean {
  const balance = postTransfer(wallet.balance, transfer)
  if (balance === undefined) return false
  wallet.balance = balance
  wallet.updatedAt = notBefore(wallet.updatedAt, createdAt)
  wallet.transfers.push(transfer)
  if (cause.payoutId) {
    const posting = postingOf(transfer, balance, createdAt)
    if (posting !== undefined) append(wallet.payoutPostings, cause.payoutId, posting)
  }
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

/** Undefined for a transfer of which no payout is the cause. */
function postingOf({ type, amount }: Transfer, { available, held }: Balance, at: Date): PayoutPosting | undefined {
  if (type !== 'hold' && type !== 'capture' && type !== 'release') return undefined
  return { type, amount, availableAfter: available, heldAfter: held, at }
}

/** Null for transfers within the wallet. */
const movements: Readonly<Record<Transfer['type'], Pick<WalletTransaction, 'direction' | 'type'> | null>> = {
  hold: null,
  release: null,
  capture: { direction: 'out', type: 'payout' },
  deposit: { direction: 'in', type: 'deposit' },
  adjustment_in: { direction: 'in', type: 'adjustment' },
  adjustment_out: { direction: 'out', type: 'adjustment' },
}
