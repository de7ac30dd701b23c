import type { BlockRef, Chain } from '../deposit/chain.ts'
import type { ScanStore } from '../deposit/ports.ts'
import { addMoney, subtractMoney, type Usdt } from '../money.ts'
import type { Clock } from '../time.ts'
import { isBalanced, balanceDrift, type WalletTotals } from './ledger.ts'
import type { WalletStore } from './ports.ts'

/** A wallet's books: `available + held = credited − debited + adjusted`, from the postings alone. */
export type Reconciliation = WalletTotals & {
  readonly asOf: Date
  readonly available: Usdt
  /** Whether the balance that is shown and spent is the same. */
  readonly balanced: boolean
  /** By how much it differs; 0 when it does not. */
  readonly drift: Usdt
  /** Solid blocks up to this one were searched for deposits; undefined before the first. */
  readonly scannedThrough: BlockRef | undefined
}

export type ReconcilePorts = {
  readonly wallets: Pick<WalletStore, 'books'>
  readonly scans: Pick<ScanStore, 'at'>
  readonly now: Clock
}

/** @returns undefined when there is no such wallet */
export type Reconcile = (tenantId: string) => Promise<Reconciliation | undefined>

/** @source assumed */
export const reconcile =
  ({ wallets, scans, now }: ReconcilePorts, chain: Chain): Reconcile =>
  async (tenantId) => {
    // The block first, so that the books are never older than it.
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
