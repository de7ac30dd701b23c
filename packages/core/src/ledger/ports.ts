import type { Usdt } from '../money.ts'
import type { Page, PageQuery } from '../page.ts'
import type { WalletTotals, Wallet } from './ledger.ts'

/** A correction of a wallet by the operator. */
export type Adjustment = {
  /** Posted at most once: the same id again is `stale`. */
  readonly id: string
  readonly tenantId: string
  readonly direction: 'in' | 'out'
  /** At least one micro-USDT. */
  readonly amount: Usdt
  readonly reason: string
  /** The operator who made it. */
  readonly actor: string
}

/**
 * A movement of money in or out of a wallet; a hold or its release is none.
 *
 * Ordered by `seq`, which increases. Numbers of entries in the tenant's log that moved nothing in or out
 * may be missing between two rows: `balanceAfter` is the next older row's plus or minus `amount`.
 */
export type WalletTransaction = {
  readonly seq: bigint
  /** `wtx_` and a ULID made of `createdAt`, `seq` and the tenant: ids sort as the rows do. */
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly type: 'deposit' | 'payout' | 'adjustment'
  readonly amount: Usdt
  /** Available and held together, after this row. */
  readonly balanceAfter: Usdt
  readonly payoutId: string | null
  readonly depositId: string | null
  /** The payout's. */
  readonly transactionId: string | null
  readonly createdAt: Date
}

export type WalletTransactionQuery = PageQuery & {
  readonly direction?: WalletTransaction['direction']
  readonly type?: WalletTransaction['type']
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

export type WalletStore = {
  /** Every tenant has one wallet from its creation. */
  find(tenantId: string): Promise<Wallet | undefined>
  /** Summed from the postings, never from the cached balance. */
  totals(tenantId: string): Promise<WalletTotals>
  /** The cached balance and the sums of the postings, of one moment. */
  books(tenantId: string): Promise<{ wallet: Wallet; totals: WalletTotals } | undefined>
  /** Newest first. */
  transactions(tenantId: string, query: WalletTransactionQuery): Promise<Page<WalletTransaction>>
  /** Moves the amount and writes its audit row in one transaction. */
  adjust(adjustment: Adjustment): Promise<'committed' | 'stale' | 'insufficient_balance'>
}
