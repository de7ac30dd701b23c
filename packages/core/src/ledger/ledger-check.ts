import type { RecordedTransfer } from '../deposit/compare-sources.ts'
import type { AuditPosition } from '../tenant/ports.ts'

/** A ledger row that differs from what it derives from. */
export type LedgerDifference = {
  /** Increases with every new difference. */
  readonly id: bigint
  /** Null when no single tenant is concerned. */
  readonly tenantId: string | null
  /** The id of the wallet, payout, deposit, key, tenant or audit entry. */
  readonly subject: string
  /** The difference, with its amounts. */
  readonly detail: string
}

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

/**
 * Compares redundant records of the store, slice by slice: each wallet with all its postings; each posting
 * with its quote, payout, deposit or adjustment; keys and prices with the audit log. Any number of processes
 * may run it concurrently. A difference stays on record until it is gone or was accepted. Every method
 * throws `Unavailable` when the database cannot be read or written.
 */
export type LedgerCheck = {
  /** Checks the wallets with the oldest checks. @returns the number of wallets */
  wallets(slice: LedgerSlice): Promise<number>
  /**
   * Checks the chain of the next entries of the audit log, and that each has its change.
   *
   * @param after  the last checked entry; `auditStart` at the start
   * @returns the last entry of this slice; null when there are no more
   */
  auditLog(after: AuditPosition, entries: number): Promise<AuditPosition | null>
  /** The newest credits of all wallets since then, at most `limit`. */
  credits(since: Date, limit: number): Promise<readonly CreditRecord[]>
  /** The persisting differences found later than this one, oldest first. */
  differences(after: bigint): Promise<readonly LedgerDifference[]>
}
