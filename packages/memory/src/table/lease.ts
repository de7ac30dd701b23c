import type { RaisedAlerts } from '@quipu/core/adapter'

/** The lease on a payout in `processing`, of its request or of a worker. */
export type Lease = {
  readonly tenantId: string
  readonly openedAt: Date
  fencingToken: number
  claimCount: number
  /** The payout is leased while this is true and `dueAt` is in the future. */
  leased: boolean
  /** A hint arrived during the lease: the payout is due as soon as the claim is yielded. */
  hinted: boolean
  /** When a worker may claim it. */
  dueAt: Date
  /** The number of status calls that the network did not answer. */
  unanswered: number
  /** The earliest instant to bring it forward to; null when the network answered the last call. */
  catchUpFrom: Date | null
  /** How often it was brought forward since the network's last answer about it. */
  catchUps: number
  raised: RaisedAlerts
  /** Whether the order may have left; null when no mark is kept. */
  isOrdered: boolean | null
  /** That the network gave after the reading's. */
  givenRef: string | null
}
