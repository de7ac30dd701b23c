import type { Chain } from '../chain/chain.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import type { Bob } from '../money.ts'
import type { Credential } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type { PayoutStatus } from '../payout/payout.ts'
import type {
  ClaimedReconciliation,
  NewReconciliationRun,
  ReconciledPeriod,
  ReconciledSlice,
  ReconciliationCheck,
  ReconciliationClaim,
  ReconciliationRun,
} from './run.ts'

/** A page of runs, filtered. */
export type ReconciliationQuery = PageQuery & {
  readonly check?: ReconciliationCheck
  /** Runs that have completed, or that have not. */
  readonly isCompleted?: boolean
}

/** A payout, as far as the network's statement shows it. */
export type PaymentRecord = {
  readonly payoutId: string
  readonly tenantId: string
  readonly status: PayoutStatus
  readonly target: Bob
  /** The amount that people settled that the network paid; null when the network's own answer settled it. */
  readonly settledPaid: Bob | null
  /** Whether people refunded it: the network returned the payment. */
  readonly isRefunded: boolean
  /** Whether the tenant has moved to another cell, which compares its payouts. */
  readonly isElsewhere: boolean
  readonly createdAt: Date
  /** Null while it is in `processing`. */
  readonly endedAt: Date | null
  /** The network's id of the payment; null when it named none. */
  readonly networkPaymentId: string | null
}

/** A top-up address and the transfers to it that solid blocks have confirmed, credited or not, in micro-USDT. */
export type AddressFunds = Pick<TopUpAddress, 'tenantId' | 'index' | 'account' | 'address'> & {
  readonly received: bigint
  /** The amount in blocks up to the one of the query. */
  readonly receivedThrough: bigint
}

/**
 * Stores reconciliation runs, and reads the records that they compare. Every method throws `Unavailable` when
 * the database cannot be read or written.
 */
export type ReconciliationStore = {
  /**
   * Inserts a run, with the audit entry `reconciliationRequested` when the person whose token is presented requested
   * it; `unauthorized`: without the active token of an operator. `exists`: the check has a run for that day already.
   *
   * @param by  left out for a run of the schedule
   * @param replaces  the newest run of that day, which no process completed; left out for the first one
   * @throws Error for a day that has not begun
   */
  open(run: NewReconciliationRun, by?: Credential, replaces?: string): Promise<'opened' | 'exists' | 'unauthorized'>
  /** Claims the oldest due run of these checks that has not completed and is not leased. */
  claimDue(checks: readonly ReconciliationCheck[], leaseSeconds: number): Promise<ClaimedReconciliation | undefined>
  /**
   * Records a slice and ends the lease. False when the claim is not the newest: nothing was written.
   *
   * @param mac  of the run after this slice
   */
  advance(claim: ReconciliationClaim, slice: ReconciledSlice, at: Date, mac?: string): Promise<boolean>
  /** Ends the lease; the run is due again in `dueInSeconds`. False when the claim is not the newest. */
  yieldClaim(claim: ReconciliationClaim, failure: string, dueInSeconds: number): Promise<boolean>
  find(id: string): Promise<ReconciliationRun | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(query: ReconciliationQuery): Promise<Page<ReconciliationRun>>
  /** The newest run of each of the latest days that have a scheduled one; the latest day first. */
  lastScheduled(check: ReconciliationCheck, days: number): Promise<readonly ReconciliationRun[]>

  /** The payouts of these references, of any tenant, each once. */
  findPayments(references: readonly string[]): Promise<readonly PaymentRecord[]>
  /** The payouts completed in the period, in pages of bounded size. */
  completedPayments(period: ReconciledPeriod): AsyncIterable<readonly PaymentRecord[]>
  /**
   * The top-up addresses from this index on, by index, retired ones included.
   *
   * @param throughBlock  the last block of `receivedThrough`
   */
  addressFunds(chain: Chain, fromIndex: number, limit: number, throughBlock: number): Promise<readonly AddressFunds[]>
}
