import type { Acting } from '../access/operator.ts'

/**
 * Why no payment begins. `restored`: the database is another cluster, or was restored to an instant. `went_back`: it
 * lacks what a process has written. `payment_forgotten`: it lacks a payment that the network has made. `declared`: a
 * person says so.
 */
export type HaltReason = 'restored' | 'went_back' | 'payment_forgotten' | 'declared'

/** Payments that are halted, until a person confirms that everything forgotten is booked. */
export type PaymentHalt = { readonly reason: HaltReason; readonly detail: string; readonly at: Date }

/** Who stopped payouts: no new one is accepted until two people start them again. */
export type PayoutStop = { readonly at: Date; readonly by: string; readonly reason: string }

/** A start of the store's server that no process and no comparison has vouched for: it may be that of an older disk. */
export type UncheckedServer = {
  /** Which start. Opaque. */
  readonly start: string
  /** Payments that the store may lack were ordered after this. */
  readonly comparedFrom: Date
}

/** Whether payments begin: only when these three are null. */
export type PaymentGate = {
  readonly stop: PayoutStop | null
  readonly halt: PaymentHalt | null
  readonly unchecked: UncheckedServer | null
  /** How often a person has confirmed a restore. */
  readonly confirmations: number
  /** The characters with which the ids of this installation's payouts end, for all time; null where it makes none of its own. */
  readonly installation: string | null
}

/** Stores whether payments begin. Every method throws `Unavailable` when the database cannot be read or written. */
export type RestoreStore = {
  /** Also compares what this process has written with what the store has, and halts payments when some is missing. */
  gate(): Promise<PaymentGate>
  /** Lets payments begin on this start of the server. False when it is another one now, or payments are halted. */
  accept(server: UncheckedServer): Promise<boolean>
  /** Halts payments as `payment_forgotten`, unless they are halted or a person has confirmed since the gate was read. */
  haltForgotten(gate: PaymentGate, detail: string): Promise<void>
  /**
   * Stops new payouts, in the name of the person whose operator token is presented, with the audit entry
   * `auditPayoutStop`. A batch that is decided later writes none. `stale`: they are stopped.
   */
  stop(reason: string, by: Acting): Promise<'committed' | 'stale' | 'unauthorized'>
}
