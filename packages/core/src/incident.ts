/** Something that a person must look at. */
export type Incident = {
  readonly code:
    /** Paid, but another amount or currency than was asked for; the hold is kept. */
    | 'PAID_WRONG_AMOUNT'
    /** An order that could not be submitted: our configuration or our order is wrong. */
    | 'ORDER_NOT_SENT'
    /** The network's answer fits nothing that was agreed. */
    | 'UNEXPECTED_ANSWER'
    /** The network contradicts a payout that has ended; its status never changes. */
    | 'NETWORK_CONTRADICTS'
    /** In `processing` for more than 15 minutes. */
    | 'PROCESSING_TOO_LONG'
    /** In `processing` for more than 24 hours, or never seen by a network without a fence. */
    | 'NEEDS_OPERATOR'
  readonly tenantId: string
  readonly payoutId: string
  readonly detail: string
}

/** Tells a person. Must not throw. */
export type Alarm = (incident: Incident) => void
