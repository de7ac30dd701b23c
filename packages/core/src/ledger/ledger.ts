import type { EventOf, WalletEventType } from '../event/event.ts'
import { expectPositive, type Usdt } from '../money.ts'
import type { DailyUse } from '../limit/daily-limits.ts'

/**
 * An account of the ledger: `available` and `held` belong to a tenant, the others to the service.
 *
 * Only a tenant's accounts have a stored balance. The balance of a service account is the sum of its postings.
 */
export type LedgerAccount = 'available' | 'held' | 'payouts' | 'deposits' | 'adjustments'

/**
 * The purpose of a transfer. A transfer has one debit account, one credit account and one amount, so it is
 * balanced by construction.
 */
export type TransferType = 'hold' | 'capture' | 'release' | 'deposit' | 'adjustment_in' | 'adjustment_out'

/** The debit and the credit account of each type of transfer. */
export const transferLegs: Readonly<Record<TransferType, { debit: LedgerAccount; credit: LedgerAccount }>> = {
  hold: { debit: 'available', credit: 'held' },
  capture: { debit: 'held', credit: 'payouts' },
  release: { debit: 'held', credit: 'available' },
  deposit: { debit: 'deposits', credit: 'available' },
  adjustment_in: { debit: 'adjustments', credit: 'available' },
  adjustment_out: { debit: 'available', credit: 'adjustments' },
}

/** The two stored balances of a wallet. */
export type Balance = { readonly available: Usdt; readonly held: Usdt }

/** A tenant's USDT balance. `held` is reserved for payouts in `processing`. */
export type Wallet = Balance & {
  readonly id: string
  readonly tenantId: string
  /** Counts against the tenant's `dailyLimits`. */
  readonly usedToday: DailyUse
  /** At least one micro-USDT: an event reports that less is available. Null: none is set. */
  readonly lowBalanceThreshold: Usdt | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A wallet's balance and threshold, as its events have them. */
export type WalletBalance = Pick<Wallet, 'id' | 'tenantId' | 'available' | 'held' | 'lowBalanceThreshold'>

/** An event of a balance that fell below its threshold, or is back. */
export type WalletEvent = EventOf<WalletEventType, WalletBalance>

/** Whether less than the threshold is available: the rule of the memory store; in PostgreSQL `record_crossing` has it. */
export const isBalanceLow = ({
  available,
  lowBalanceThreshold: threshold,
}: Pick<Wallet, 'available' | 'lowBalanceThreshold'>): boolean =>
  threshold !== null && available.minor < threshold.minor

/** A movement of money between two accounts of the ledger. */
export type Transfer = { readonly type: TransferType; readonly amount: Usdt }

/**
 * The balance after a transfer: the rule of the memory store. In PostgreSQL `decide_payouts` and the checks of the table
 * `wallet` are the same rule.
 *
 * @returns undefined when `available` or `held` would be negative
 * @throws TypeError when the amount is not positive: it would move money the other way
 */
export function postTransfer(balance: Balance, { type, amount }: Transfer): Balance | undefined {
  expectPositive('postTransfer', amount)
  const { debit, credit } = transferLegs[type]
  const after = (account: 'available' | 'held'): Usdt => {
    const minus = debit === account ? amount.minor : 0n
    const plus = credit === account ? amount.minor : 0n
    return { currency: 'USDT', minor: balance[account].minor - minus + plus }
  }
  const next = { available: after('available'), held: after('held') }
  return next.available.minor < 0n || next.held.minor < 0n ? undefined : next
}

/** The sums of all postings of one wallet. */
export type WalletTotals = {
  /** Deposits credited. */
  readonly credited: Usdt
  /** Payouts captured. */
  readonly debited: Usdt
  /** Adjustments in minus adjustments out; may be negative. */
  readonly adjusted: Usdt
  /** Holds minus captures and releases. */
  readonly held: Usdt
}

/**
 * The difference between the stored balance and the sums of the postings, in `available` and `held` together.
 *
 * It is 0 exactly when `available + held = credited − debited + adjusted` and `held` equals its postings.
 */
export function balanceDrift(balance: Balance, totals: WalletTotals): Usdt {
  const total = totals.credited.minor - totals.debited.minor + totals.adjusted.minor
  const off = {
    held: balance.held.minor - totals.held.minor,
    available: balance.available.minor - (total - totals.held.minor),
  }
  return { currency: 'USDT', minor: abs(off.held) + abs(off.available) }
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** Whether the stored balance equals the sums of the postings. */
export const isBalanced = (balance: Balance, totals: WalletTotals): boolean =>
  balanceDrift(balance, totals).minor === 0n
