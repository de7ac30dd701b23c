import type { Credential } from '../access/operator.ts'
import type { PayoutRef } from './network-call.ts'

/**
 * The state of a process's network in the database. `ours`: payouts are ordered at it. `other`: they are ordered at
 * another one. `forgetful`: it did not know a payment that the books have as completed.
 */
export type NetworkState = 'ours' | 'other' | 'forgetful'

/** From when on payouts are ordered at a network. */
export type NetworkConfirmation = {
  /** `QrNetwork.identity`. */
  readonly identity: string
  readonly at: Date
  /** The admin who confirmed it, and why; null for the network of the first process. */
  readonly by: string | null
  readonly reason: string | null
}

/** Why processes with this network neither pay nor settle. */
export type NetworkHalt = {
  readonly identity: string
  /** The completed payout that it did not know; null for another network than the database's. */
  readonly payoutId: string | null
  readonly since: Date
}

/** The database's network, and what halts. */
export type NetworkRecord = {
  /** Null before the first process has presented one. */
  readonly network: NetworkConfirmation | null
  /** The identities of other networks as long as a process presents them. */
  readonly halts: readonly NetworkHalt[]
}

/** A payment that the network of a payout must know. */
export type KnownPayment = {
  /** The newest payout that its network completed; null when there is none. What people settled does not count. */
  readonly payment:
    | (PayoutRef & { readonly networkRef: string; readonly createdAt: Date; readonly endedAt: Date })
    | null
  /** Whether no other network was confirmed since the payout was ordered. */
  readonly isCurrent: boolean
}

/**
 * Stores at which network the payouts of this database are ordered. Every method throws `Unavailable` when the
 * database cannot be read or written.
 */
export type NetworkStore = {
  /** Presents the network of a process. The first one ever becomes the database's. */
  meet(identity: string): Promise<NetworkState>
  /** @throws Error when there is no such payout */
  knownPayment(payout: PayoutRef): Promise<KnownPayment>
  /**
   * Halts the database's network, which did not know this completed payout, until it is confirmed.
   *
   * @throws Error when no such payout is completed
   */
  halt(identity: string, payoutId: string): Promise<void>
  read(): Promise<NetworkRecord>
  /**
   * Confirms, as an admin, that payouts are ordered at this network from now on, with the audit entry
   * `auditNetwork`; nothing halts any more. `stale`: it is the database's network already, and is not halted.
   * `unauthorized`: without the active token of an admin.
   */
  confirm(
    confirmation: NetworkConfirmation & { readonly by: string; readonly reason: string },
    by: Credential,
  ): Promise<'committed' | 'stale' | 'unauthorized'>
}

/** For how long a process that has presented another network is shown. It does so every few seconds. */
export const networkSeenSeconds = 60
