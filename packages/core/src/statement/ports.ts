import type { Usdt } from '../money.ts'
import type { PagePosition } from '../page.ts'
import type { StatementMovement } from './statement.ts'

/** Which entries of a tenant's log to read, oldest first. */
export type StatementQuery = {
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
  /** The last entry of the page before. */
  readonly after?: PagePosition
  /** How many entries of the log to read, also those that moved nothing in or out. */
  readonly limit: number
}

/** Reads wallets period by period. Every method throws `Unavailable` when the database cannot be read. */
export type StatementStore = {
  /**
   * Available and held together right before each instant, in one consistent reading. Summed from the newest
   * balance checkpoint before it, so the time does not grow with the history.
   */
  balancesBefore(tenantId: string, instants: readonly Date[]): Promise<readonly Usdt[]>
  /** `next` is null when the log has no more entries of this time. Reads `limit` entries at most. */
  transactions(
    tenantId: string,
    query: StatementQuery,
  ): Promise<{ readonly items: readonly StatementMovement[]; readonly next: PagePosition | null }>
}
