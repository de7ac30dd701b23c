import type { NewEvent } from '../event/event.ts'
import type { Credential } from '../access/operator.ts'
import type { SettlePayout } from '../proposal/action.ts'
import type { Payout, PayoutStep, SettledPayout } from './payout.ts'
import type { ClaimedPayout } from './ports.ts'

/** The call of an operator at the network: how the payment stands, or to cancel its reference. */
export type OperatorQuestion = 'status' | 'cancel'

/** A question of an operator to the network about one payout. */
export type OperatorCall = {
  readonly tenantId: string
  readonly payoutId: string
  readonly question: OperatorQuestion
  readonly at: Date
}

/** A payout that an operator decides about. */
export type UndecidedPayout = {
  readonly payout: Payout
  /** Whether a worker or an operator has queried the network about it. */
  readonly isAsked: boolean
  /** The newest payment that the network answered: the call's detail; null when it answered none. */
  readonly networkPaid: string | null
  /** Whether an adjustment has refunded it. */
  readonly isRefunded: boolean
}

/** The approved proposal that a settlement executes; the audit log records actor and reason. */
export type SettlementAuthor = {
  readonly proposalId: string
  /** The operator who proposed it. */
  readonly actor: string
  readonly reason: string
}

/** The settlement of a payout as people decided it. */
export type DecidedSettlement = SettlementAuthor & {
  readonly step: PayoutStep<SettledPayout, NewEvent | null>
  readonly action: SettlePayout
}

/**
 * Stores what operators decide about payouts of any tenant. Every method throws `Unavailable` when the database
 * cannot be read or written.
 */
export type PayoutDecisionStore = {
  find(payoutId: string): Promise<UndecidedPayout | undefined>
  /**
   * Claims a payout in `processing` that was accepted, due or not, for the person whose token is presented, with the
   * audit entry `auditOperatorCall`. `unauthorized`: without the active token of an operator. `leased`: its request, a
   * worker or an operator holds a lease. `ended`: nothing can be claimed; a status call is audited all the same.
   */
  claim(
    call: OperatorCall,
    by: Credential,
    leaseSeconds: number,
  ): Promise<ClaimedPayout | 'leased' | 'ended' | 'unauthorized'>
  /**
   * Settles a payout in `processing`, leased or not, as an approved proposal of exactly this settlement says:
   * captures or releases its hold, logs the event, marks the proposal executed and writes the audit entry
   * `auditSettlement`, in one commit. Redates payout and event if the tenant's log has a later entry. Nothing
   * was written when it is `stale`, as the payout has ended, or `not_approved`.
   *
   * @throws Error when the network was never queried about it: its request may still be paying
   */
  settle(settlement: DecidedSettlement): Promise<'committed' | 'stale' | 'not_approved'>
}
