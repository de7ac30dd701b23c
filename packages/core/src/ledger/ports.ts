import type { Usdt } from '../money.ts'
import type { Totals, Wallet } from './ledger.ts'

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

export type WalletStore = {
  /** Every tenant has one wallet from its creation. */
  find(tenantId: string): Promise<Wallet | undefined>
  /** Summed from the postings, never from the cached balance. */
  totals(tenantId: string): Promise<Totals>
  /** Moves the amount and writes its audit row in one transaction. */
  adjust(adjustment: Adjustment): Promise<'committed' | 'stale' | 'insufficient_balance'>
}
