import type { RecordedTransfer } from '../deposit/compare-sources.ts'

/** Something that the ledger shows and its sources do not. */
export type LedgerDifference = {
  /** Grows with each one that is found. */
  readonly id: bigint
  /** Null when it is no tenant's in particular. */
  readonly tenantId: string | null
  /** The id of a wallet, a payout, a deposit, a key, a tenant or an entry of the audit log. */
  readonly subject: string
  /** What differs, with the amounts. */
  readonly detail: string
}

/** A deposit that is on a wallet's account. */
export type CreditRecord = RecordedTransfer & {
  readonly depositId: string
  readonly tenantId: string
  /** The solid block that is said to show it. */
  readonly block: number
}

/** How much one slice of the check does. */
export type LedgerSlice = {
  readonly wallets: number
  /** Of one wallet at a time. A slice also checks so many old ones for each of `wallets` once more. */
  readonly postings: number
  /** A wallet that was checked less than so long ago is left out. */
  readonly everySeconds: number
}

/**
 * Compares what a store keeps twice, slice by slice: each wallet with all its postings, each posting with
 * its quote, payout, deposit or adjustment, keys and prices with the audit log. Any number of processes
 * may do it at once. What is found stays on record until it is so no more, or was accepted.
 */
export type LedgerCheck = {
  /** Checks those wallets that were checked longest ago. @returns how many */
  wallets(slice: LedgerSlice): Promise<number>
  /**
   * Checks the next entries of the audit log.
   *
   * @param after  the last one that was checked; 0 to begin
   * @returns the last one of these; null when there are no more
   */
  auditLog(after: bigint, entries: number): Promise<bigint | null>
  /** The newest credits of all wallets, at most so many: for a comparison with the chain. */
  credits(since: Date, limit: number): Promise<readonly CreditRecord[]>
  /** What was found later than this one and is still so, oldest first. */
  differences(after: bigint): Promise<readonly LedgerDifference[]>
}
