import { type Alert, faultCodes } from '../alert.ts'

/** An alert with its own id, which each of its messages repeats. */
export type RaisedAlert = Alert & {
  /** `alt_` and a ULID. */
  readonly id: string
  readonly raisedAt: Date
}

/** `repeated` while what was alerted lasts, `resolved` once it is over. */
export type AlertStatus = 'raised' | 'repeated' | 'resolved'

/** A message about an alert to the operator's gateway. */
export type AlertMessage = RaisedAlert & {
  readonly status: AlertStatus
  /** Messages about the alert that were accepted before this one. */
  readonly sequence: number
  /** Null while it lasts, and of what does not last. */
  readonly endedAt: Date | null
  /** Alerts of the same code and status, of other subjects, that this message stands for. */
  readonly further: number
}

/** The right to send the next message. */
export type AlertClaim = { readonly fencingToken: number }

/** The next message, under a claim. */
export type ClaimedAlert = {
  readonly claim: AlertClaim
  readonly failedAttempts: number
  readonly message: AlertMessage
}

/** Whether messages reach the gateway, by the store. */
export type AlertsSent = {
  /** Alerts of which no message was accepted; ages since they were raised. */
  readonly waiting: { readonly count: number; readonly oldestSeconds: number }
  /** When the gateway last accepted a message; null before the first. */
  readonly acceptedAt: Date | null
  /** The day of the last accepted digest, `2026-11-20`; null before the first. */
  readonly digestDay: string | null
}

/** An alert, and how far the gateway was notified of it. */
export type ListedAlert = RaisedAlert & {
  /** `raised` until it is over. */
  readonly status: 'raised' | 'resolved'
  /** Null while it lasts; of what happened once, when it was recorded. */
  readonly endedAt: Date | null
  /** Messages that the gateway has accepted. */
  readonly sent: number
  /** When the gateway accepted the last one; null before the first. */
  readonly acceptedAt: Date | null
  /** Attempts of the next message that have failed. */
  readonly failedAttempts: number
}

/** An alert of which the raising process has or has not sent the first message itself. */
export type RecordedAlert = RaisedAlert & { readonly isSent: boolean }

/** Whether the watch of faults sees it as long as it lasts. Each process notices its own clock. */
export const isSeenFault = (code: Alert['code']): boolean =>
  code !== 'CLOCK_APART' && faultCodes.some((fault) => fault === code)

/** More alerts of one code and status than this are one message. */
export const alertsApart = 10
/** A fault that no process has found for that long is over. */
export const faultOverSeconds = 15
/** An alert of what does not last is recorded once in that time for a subject. */
export const alertOnceSeconds = 3_600
/** A list has the newest. */
export const alertsListed = 100
/** The store looks every few seconds whether what was alerted is over. */
export const alertLookSeconds = 5

/**
 * The alerts that the operator's gateway is to receive: their outbox. Every method throws `Unavailable` when the
 * database cannot be read or written.
 */
export type OperatorAlertStore = {
  /**
   * Records alerts that processes have raised; again the same id changes nothing but that it is sent. What lasts has
   * one open alert for its code and subject: another detail is a `repeated` message at once.
   */
  record(alerts: readonly RecordedAlert[]): Promise<void>
  /** Records faults that are alerted now. One that is not seen for `faultOverSeconds` is over. */
  see(faults: readonly RaisedAlert[]): Promise<void>
  /**
   * Claims the next message, and looks whether what was alerted is over: payouts have ended, differences are closed,
   * endpoints accept events, reviews are decided, clocks agree, the database commits.
   *
   * @param repeatSeconds  the time between two messages about what lasts
   */
  claim(leaseSeconds: number, repeatSeconds: number): Promise<ClaimedAlert | undefined>
  /** Ends the message; `stale` when a newer claim exists, or its attempt was recorded. */
  accept(claim: AlertClaim): Promise<'committed' | 'stale'>
  /** Makes the message due again after `inMs`; `stale` as for `accept`. */
  retry(claim: AlertClaim, inMs: number): Promise<'committed' | 'stale'>
  /** The newest `alertsListed`, newest first. */
  list(): Promise<readonly ListedAlert[]>
  /** Whether messages reach the gateway. */
  sent(): Promise<AlertsSent>
}
