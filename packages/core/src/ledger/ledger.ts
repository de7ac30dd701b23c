import type { Usdt } from '../money.ts'

/**
 * A tenant's account is `available` or `held`; the others belong to the service.
 *
 * Only the tenant's two have a stored balance. The service's accounts are the sum of their
 * postings.
 */
export type LedgerAccount = 'available' | 'held' | 'payouts' | 'deposits' | 'adjustments'

/**
 * What a transfer does. It names one debit account, one credit account and one amount, so it is
 * balanced by construction.
 */
export type TransferType =
  | 'hold'
  | 'capture'
  | 'release'
  | 'deposit'
  | 'adjustment_in'
  | 'adjustment_out'

export const transferLegs: Readonly<
  Record<TransferType, { debit: LedgerAccount; credit: LedgerAccount }>
> = {
  hold: { debit: 'available', credit: 'held' },
  capture: { debit: 'held', credit: 'payouts' },
  release: { debit: 'held', credit: 'available' },
  deposit: { debit: 'deposits', credit: 'available' },
  adjustment_in: { debit: 'adjustments', credit: 'available' },
  adjustment_out: { debit: 'available', credit: 'adjustments' },
}

export type Balance = { readonly available: Usdt; readonly held: Usdt }

/** The tenant's USDT balance. `held` is reserved for payouts in `processing`. */
export type Wallet = Balance & {
  readonly id: string
  readonly tenantId: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type Transfer = { readonly type: TransferType; readonly amount: Usdt }

/**
 * The balance after a transfer.
 *
 * @returns undefined when `available` or `held` would fall below zero: nothing moves then
 */
export function postTransfer(balance: Balance, { type, amount }: Transfer): Balance | undefined {
  const { debit, credit } = transferLegs[type]
  const after = (account: 'available' | 'held'): Usdt => {
    const minus = debit === account ? amount.minor : 0n
    const plus = credit === account ? amount.minor : 0n
    return { currency: 'USDT', minor: balance[account].minor - minus + plus }
  }
  const next = { available: after('available'), held: after('held') }
  return next.available.minor < 0n || next.held.minor < 0n ? undefined : next
}

/** Everything that ever moved in one wallet, summed from its postings. */
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
 * By how much the cached balance is not what the postings say, in either part: 0 or more.
 *
 * It is 0 exactly when `available + held = credited − debited + adjusted` and `held` is right.
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

/** Whether the cached balance is what the postings say. */
export const isBalanced = (balance: Balance, totals: WalletTotals): boolean =>
  balanceDrift(balance, totals).minor === 0n
