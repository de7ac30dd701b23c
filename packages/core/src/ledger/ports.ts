import type { NewEvent } from '../event/event.ts'
import type { Usdt } from '../money.ts'
import type { Page, PageQuery } from '../page.ts'
import type { WalletBalance, WalletTotals, Wallet } from './ledger.ts'

/** A correction of a wallet by operators, as the proposal with this id says. */
export type Adjustment = {
  /** The proposal's. Posted at most once: the same id again is `stale`. */
  readonly id: string
  readonly tenantId: string
  readonly direction: 'in' | 'out'
  /** At least one micro-USDT. */
  readonly amount: Usdt
  /** The open difference that it books, if any: the balance stays. */
  readonly differenceId?: string
  /** The completed payout that it refunds, if any: `in`, at most its price, and once. */
  readonly payoutId?: string
  readonly reason: string
  /** The operator who proposed it. */
  readonly actor: string
}

/**
 * A movement of money into or out of a wallet; holds and releases are none.
 *
 * Ordered by `seq`. Numbers are missing where an entry of the tenant's log moved nothing in or out:
 * `balanceAfter` is the next older row's plus or minus `amount`.
 */
export type WalletTransaction = {
  readonly seq: bigint
  /** Derived from `createdAt`, `seq` and the tenant (`walletTransactionId`): ids sort like the rows. */
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

/** A page of wallet transactions, filtered. */
export type WalletTransactionQuery = PageQuery & {
  readonly direction?: WalletTransaction['direction']
  readonly type?: WalletTransaction['type']
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

/** Stores wallets. Every method throws `Unavailable` when the database cannot be read or written. */
export type WalletStore = {
  /** Every tenant has one wallet from its creation on. */
  find(tenantId: string): Promise<Wallet | undefined>
  /** Summed from the postings, not from the stored balance. */
  totals(tenantId: string): Promise<WalletTotals>
  /** The stored balance and the sums of the postings, in one consistent reading. */
  books(tenantId: string): Promise<{ wallet: Wallet; totals: WalletTotals } | undefined>
  /** Newest first. */
  transactions(tenantId: string, query: WalletTransactionQuery): Promise<Page<WalletTransaction>>
  /**
   * Moves the amount, writes its audit row, and marks its proposal `executed`, in one transaction. `not_approved`: the
   * proposal is not an approved `adjust_wallet` of this tenant, direction and amount, with this proposer and reason;
   * nothing was written. With a difference it is posted without moving the balance, and the difference is gone;
   * `difference_not_open`: it is no open difference of the wallet's available balance by this amount. With a payout the
   * event `payout.refunded` is written too. `already_refunded`: the payout has a refund. `not_refundable`: it is no
   * completed payout of the tenant, or its price is less.
   */
  adjust(
    adjustment: Adjustment,
  ): Promise<
    | 'committed'
    | 'stale'
    | 'insufficient_balance'
    | 'difference_not_open'
    | 'already_refunded'
    | 'not_refundable'
    | 'not_approved'
  >
  /** Sets the threshold, and records a crossing as `recordCrossings` does. Atomic. */
  setLowBalanceThreshold(tenantId: string, threshold: Usdt | null, eventOf: BalanceEventOf): Promise<void>
  /**
   * Finds at most `limit` wallets whose newest event of their threshold is no longer right (`isBalanceLow`), and
   * stores for each the event of its balance at that moment. Concurrent calls store one. @returns how many
   */
  recordCrossings(limit: number, eventOf: BalanceEventOf): Promise<number>
}

/** Makes the event of a balance that has crossed its threshold, for stores that do not make its bytes of their rows. */
export type BalanceEventOf = (balance: WalletBalance) => NewEvent
