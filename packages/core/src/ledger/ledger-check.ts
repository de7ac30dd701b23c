import type { RecordedTransfer } from '../top-up-address/ports.ts'
import type { AuditPosition } from '../audit/ports.ts'

/** A credit in a wallet, to compare with the chain (`creditFault`). */
export type CreditRecord = RecordedTransfer & {
  readonly depositId: string
  readonly tenantId: string
  /** The solid block that the record names. */
  readonly block: number
}

/** The size of one slice of the check. */
export type LedgerSlice = {
  readonly wallets: number
  /** The maximum number of new postings of a wallet in a slice, and of old postings that are rechecked. */
  readonly postings: number
  /** The minimum age of a wallet's last check. */
  readonly everySeconds: number
}

/** How long ago the ledger check has seen what it saw longest ago. 0 without a wallet. */
export type LedgerAges = {
  /** The oldest check of a wallet with its newest postings. */
  readonly uncheckedSeconds: number
  /** The oldest complete recheck of a wallet with all its postings. */
  readonly unrecheckedSeconds: number
}

/**
 * Compares redundant records of the store, slice by slice: each wallet with all its postings; each posting
 * with its quote, payout, deposit or adjustment; keys and prices with the audit log. Any number of processes
 * may run it concurrently. Records what it finds as differences of the checks `ledger` and `audit`
 * (`DifferenceStore`). Every method throws `Unavailable` when the database cannot be read or written.
 */
export type LedgerCheck = {
  /** Checks the wallets with the oldest checks. @returns the number of wallets */
  wallets(slice: LedgerSlice): Promise<number>
  /** By the store's clock. A wallet that was not checked yet counts from its creation. */
  ages(): Promise<LedgerAges>
  /**
   * Checks the chain of the next entries of the audit log, and that each has its change.
   *
   * @param after  the last checked entry; `auditStart` at the start
   * @returns the last entry of this slice; null when there are no more
   */
  auditLog(after: AuditPosition, entries: number): Promise<AuditPosition | null>
  /** The newest credits of all wallets since then, at most `limit`. */
  credits(since: Date, limit: number): Promise<readonly CreditRecord[]>
}
