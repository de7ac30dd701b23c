import type { Payout } from './payout.ts'
import type { ClaimedPayout } from './ports.ts'

/** What an operator asks the network: how the payment stands, or to cancel its reference. */
export type OperatorQuestion = 'status' | 'cancel'

/** A question of an operator to the network about one payout. */
export type OperatorCall = {
  readonly tenantId: string
  readonly payoutId: string
  readonly question: OperatorQuestion
  /** The operator. */
  readonly actor: string
  readonly at: Date
}

/** A payout that an operator decides about. */
export type UndecidedPayout = {
  readonly payout: Payout
  /** Whether a worker or an operator has asked the network about it. */
  readonly isAsked: boolean
}

/**
 * Stores what operators decide about payouts of any tenant. Every method throws `Unavailable` when the database
 * cannot be read or written.
 */
export type PayoutDecisionStore = {
  find(payoutId: string): Promise<UndecidedPayout | undefined>
  /**
   * Claims a payout in `processing` that was applied, due or not, with the audit entry `auditOperatorCall`.
   * `leased`: its request, a worker or an operator holds a lease. `ended`: nothing can be claimed; a status call
   * is audited all the same.
   */
  claim(call: OperatorCall, leaseSeconds: number): Promise<ClaimedPayout | 'leased' | 'ended'>
}
