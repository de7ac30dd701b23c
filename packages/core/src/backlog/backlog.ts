import type { Chain, ChainView } from '../chain/chain.ts'
import type { ReconciliationCheck, ReconciliationRun } from '../reconciliation/run.ts'
import type { AlertsSent } from '../operator-alert/ports.ts'
import type { LedgerAges } from '../ledger/ledger-check.ts'
import type { OperatorToken } from '../operator-token/operator-token.ts'
import type { DifferenceCheck } from '../difference/difference.ts'

/** How many items wait, counted up to `backlogCountMax`, and the age of the oldest; 0 when none waits. */
export type BacklogCount = { readonly count: number; readonly oldestSeconds: number }

/**
 * Why a due delivery waits: `fast` for a worker; `slow` because its receiver's last answer was an error
 * or took long; `catching_up` because a reactivated endpoint is sent a limited number a second.
 */
export type DeliveryPace = 'fast' | 'slow' | 'catching_up'
/** All paces, in the order in which metrics list them. */
export const deliveryPaces: readonly DeliveryPace[] = ['fast', 'slow', 'catching_up']

/** Counting stops here, so that the count of a large backlog stays cheap. */
export const backlogCountMax = 10_000

/** More tokens that end soon are not read. */
export const endingTokensMax = 20
/** No statement of a process takes that long. */
export const heldLockSeconds = 30

/** All that waits, is paused or needs an operator in the whole service, by the store's clock: the source of metrics and faults. */
export type Backlog = {
  /** In `processing`; ages since they were accepted. */
  readonly payouts: BacklogCount
  /** Due at active endpoints and neither leased nor queued; ages since they were due. */
  readonly deliveries: Readonly<Record<DeliveryPace, BacklogCount>>
  /** Failed deliveries that wait for their next attempt, counted up to `backlogCountMax`. */
  readonly retryingDeliveries: number
  readonly pausedEndpoints: number
  /** Active ones about which `WEBHOOK_FAILING` was raised; ages since their first failed attempt. */
  readonly failingEndpoints: BacklogCount
  /**
   * Audit entries whose notices to technical contacts were not accepted; ages since the oldest of them, or since the
   * first failed attempt at the next notice.
   */
  readonly notices: BacklogCount
  readonly isQuotingPaused: boolean
  /** Open cases of screening; ages since they were opened. */
  readonly screeningCases: BacklogCount
  /** In review and not closed; ages since they were seen. */
  readonly depositsInReview: BacklogCount & { readonly amountMicroUsdt: bigint }
  /** Proposals that wait for an approval; ages since they were made. */
  readonly proposals: BacklogCount
  /** Alerts on their way to the operator's gateway. */
  readonly alerts: AlertsSent
  /** Pending though solid blocks have decided their transfers; ages since then. */
  readonly undecidedDeposits: BacklogCount & {
    /** The oldest, and why its last attempt has not decided it; null when there is none. */
    readonly oldest: { readonly depositId: string; readonly problem: string | null } | null
  }
  /** Open differences; ages since they were found. */
  readonly differences: Readonly<Record<DifferenceCheck, BacklogCount>>
  readonly ledger: LedgerAges & {
    /** Micro-USDT by which wallets differ from their postings in open differences of the ledger check. */
    readonly driftMicroUsdt: bigint
  }
  /** The newest completed reconciliation run of each check that has one: its age, and what it compared. */
  readonly reconciliations: readonly {
    readonly check: ReconciliationCheck
    readonly run: ReconciliationRun
    readonly completedSeconds: number
    /** Age of the check's oldest scheduled run that has not completed; 0 when there is none. */
    readonly openSeconds: number
    readonly slices: number
    readonly compared: number
    /**
     * It compared nothing and found nothing, although a payout began and completed in its period, `lineMarginMs` from
     * its ends or more, or a solid block had confirmed a deposit before it was opened.
     */
    readonly hasSkipped: boolean
  }[]
  /** Active operators' tokens that end soon, without a successor (`tokensEndingSoon`); at most `endingTokensMax`. */
  readonly endingTokens: readonly Pick<OperatorToken, 'id' | 'person' | 'role' | 'expiresAt'>[]
  /**
   * Sessions of processes that hold the lock of the audit log or of the differences at this moment, or any lock of a transaction for longer
   * than `heldLockSeconds`. Operators' writes, payouts or deposits wait for them.
   */
  readonly heldLocks: readonly { readonly session: string; readonly lock: string }[]
  /** The age of the last block of each scan that has one. */
  readonly scans: readonly { readonly chain: Chain; readonly view: ChainView; readonly behindSeconds: number }[]
}

/** Reads the backlog. @throws Unavailable when the database cannot be read */
export type BacklogStore = { read(): Promise<Backlog> }
