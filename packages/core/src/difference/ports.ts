import type { Credential } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Difference, DifferenceCheck, DifferenceClosure, DifferenceStatus, FoundDifference } from './difference.ts'

/** A page of differences, filtered. */
export type DifferenceQuery = PageQuery & {
  readonly status?: DifferenceStatus
  readonly check?: DifferenceCheck
  readonly tenantId?: string
  /** `FoundDifference.subject`. */
  readonly subject?: string
}

/** The scope of one completed run of a check. */
export type DifferenceRun = { readonly check: 'network' | 'chain' | 'liquidity' | 'report'; readonly scope: string }

/**
 * Stores the differences of every check. The checks `ledger` and `audit` write theirs in the database (`LedgerCheck`).
 *
 * Every method throws `Unavailable` when the database cannot be read or written.
 */
export type DifferenceStore = {
  /**
   * Records what a run has found. A difference on record that is open gets the new detail and amounts, and `at`
   * as `lastSeenAt`. A closed one is seen again unchanged (`isSameDifference`), or is `gone` and a new one is
   * open. Idempotent.
   *
   * @param at  the instant of the run; the same in all calls of one run
   * @throws Error for a kind that is not one of `foundKinds`, and for one about anything but a row of its tenant: a
   *   payout, the deposit of a credit, or a top-up address. `unknown_here`, `below_floor` and those of reports name no tenant, and
   *   neither does the count of those of a kind that were not recorded, whose subject is its scope and kind.
   */
  record(found: readonly FoundDifference[], at: Date): Promise<void>
  /** After a complete run: those of its scope that were last seen before `at` are gone. @returns their number */
  resolveUnseen(run: DifferenceRun, at: Date): Promise<number>
  find(id: string): Promise<Difference | undefined>
  /** Newest first by (`foundAt`, `id`), which are the position in a page. */
  list(query: DifferenceQuery): Promise<Page<Difference>>
  /**
   * The differences that are new or have changed after this number (`Difference.change`), oldest change first: those
   * that are open, and those that have changed since this instant of the store's clock, whatever became of them.
   */
  listChanged(after: bigint, since: Date, limit: number): Promise<readonly Difference[]>
  /**
   * Closes an open difference in the name of the person whose token is presented, with the audit entry
   * `auditDifference`. Nothing was written when it is `stale`, as it is not open, or `unauthorized`.
   *
   * @throws Error when the proposal is not an executed one of the difference's tenant
   */
  close(id: string, closure: DifferenceClosure, by: Credential): Promise<'committed' | 'stale' | 'unauthorized'>
}
