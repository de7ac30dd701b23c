/** Something that a person must look at. */
export type Alert = {
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
    /** A top-up address that its key does not derive or its seal does not fit: nothing is credited. */
    | 'ADDRESS_MAC_MISMATCH'
    /** Solid blocks do not follow each other, or show a transfer that they had ruled out. */
    | 'CHAIN_CONTRADICTS'
    /** The node or the second provider does not show the transfer that the database records. */
    | 'SOURCES_DISAGREE'
    /** Events in a row ran out of attempts at a webhook endpoint: its deliveries are held. */
    | 'WEBHOOK_PAUSED'
    /** Messages of the queue that nobody could ever finish; the database sends their deliveries anyway. */
    | 'DEAD_LETTERS'
    /** The ledger shows what its sources do not: a balance, a posting, a price, a key, an audit entry. */
    | 'LEDGER_DIFFERENCE'
    /** The database confirms no durable write: payouts are answered with 503. */
    | 'DATABASE_CANNOT_COMMIT'
    /** The clock of a process is two seconds or more from the database's. */
    | 'CLOCK_APART'
  /** Null when it is nobody's in particular. */
  readonly tenantId: string | null
  /** What it is about: the id of a wallet, a payout, a deposit, a key or an endpoint, an address, a transfer, a chain. */
  readonly subject: string
  readonly detail: string
}

/** Tells a person. Must not throw. */
export type RaiseAlert = (alert: Alert) => void
