import type { BlockRef, Chain } from '../chain/chain.ts'
import type { ScanStore } from '../deposit/ports.ts'
import { addMoney, subtractMoney, type Usdt } from '../money.ts'
import type { Clock } from '../time.ts'
import { isBalanced, balanceDrift, type WalletTotals } from '../ledger/ledger.ts'
import type { WalletStore } from '../ledger/ports.ts'
import { checkSettings } from '../check-settings.ts'

/** A wallet's books, from the postings alone: `available + held = credited − debited + adjusted`. */
export type Reconciliation = WalletTotals & {
  readonly asOf: Date
  readonly available: Usdt
  /** Whether the stored balance equals the books. */
  readonly balanced: boolean
  /** The difference; 0 when they are equal. */
  readonly drift: Usdt
  /** Solid blocks up to this one were scanned for deposits; undefined before the first. */
  readonly scannedThrough: BlockRef | undefined
}

/** The ports of `reconcile`. */
export type ReconcilePorts = {
  readonly wallets: Pick<WalletStore, 'books'>
  readonly scans: Pick<ScanStore, 'at'>
  readonly now: Clock
}

/** Reconciles a tenant's wallet. @returns undefined when the tenant does not exist */
export type Reconcile = (tenantId: string) => Promise<Reconciliation | undefined>

/**
 * Compares a wallet's stored balance with the sums of its postings.
 *
 * @throws Unavailable when the store cannot be read
 * @example
 * ```ts
 * const books = await reconcile(ports, 'tron')(tenant.id)
 * console.log(books?.balanced, books && toDecimal(books.available)) // true 1000.000000
 * ```
 */
export function reconcile(ports: ReconcilePorts, chain: Chain): Reconcile {
  checkSettings('reconcile', { chain }, { chain: ['tron'] })
  const { wallets, scans, now } = ports
  return async (tenantId) => {
    // Read the block first: the books must not be older.
    const scannedThrough = await scans.at(chain, 'solid')
    const books = await wallets.books(tenantId)
    if (!books) return undefined
    const { wallet, totals } = books
    const total = addMoney(subtractMoney(totals.credited, totals.debited), totals.adjusted)
    return {
      ...totals,
      asOf: now(),
      available: subtractMoney(total, totals.held),
      balanced: isBalanced(wallet, totals),
      drift: balanceDrift(wallet, totals),
      scannedThrough,
    }
  }
}
