import type { ChainAccount } from '../deposit/chain.ts'
import type { Usdt } from '../money.ts'
import type { FaucetDraft, FaucetLimits, FaucetSend, FaucetStatus, FaucetUsage } from './faucet.ts'

/** A lease on a send that has not ended. The fencing token grows with every claim. */
export type FaucetClaim = {
  readonly tenantId: string
  readonly sendId: string
  readonly fencingToken: number
}

export type ClaimedSend = {
  readonly claim: FaucetClaim
  readonly send: FaucetSend
  /** How often it was claimed, this time included. */
  readonly claimCount: number
}

export type FaucetRefusal = {
  readonly code: 'FAUCET_LIMIT_EXCEEDED' | 'FAUCET_TOO_SOON'
  /** A whole number, at least 1. */
  readonly retryAfterSeconds: number
}

/** Accepts one request, or refuses it, by what counts at `now` without it. Pure. */
export type FaucetLimitCheck = (
  usage: FaucetUsage,
  now: Date,
) => FaucetRefusal | { readonly remainingToday: Usdt }

export type FaucetCommitResult =
  | { readonly type: 'committed'; readonly send: FaucetSend }
  /** The tenant has used this key before. */
  | { readonly type: 'known'; readonly send: FaucetSend }
  | { readonly type: 'refused'; readonly refusal: FaucetRefusal }
  /** Another transfer has the same transaction id: sign anew with another time. */
  | { readonly type: 'collision' }

/** Every method throws `Unavailable` when the database cannot be read or written. */
export type FaucetStore = {
  find(tenantId: string, key: string): Promise<FaucetSend | undefined>
  /** @param id  a UUID in lower case */
  get(tenantId: string, id: string): Promise<FaucetSend | undefined>
  /** As it stands at `now`, the store's clock, without a lock: to refuse early. */
  usage(
    tenantId: string,
    account: ChainAccount,
    windowSeconds: number,
  ): Promise<{ readonly usage: FaucetUsage; readonly now: Date }>
  /**
   * Inserts the request, its first answer and its signed bytes, in one durable write, if (in this
   * order) the tenant's key is free, `judge` accepts and the transaction id is free. The counters
   * are read, judged and written under their locks, in the order shared, tenant, address. `now` is
   * the store's clock then; the send's `createdAt` is no earlier. The writer holds it for
   * `leaseSeconds`.
   *
   * @param limits  their window is what is read. A store may check them once more when it writes
   * @throws when it does, and what `judge` has accepted exceeds one
   */
  commit(
    draft: FaucetDraft,
    judge: FaucetLimitCheck,
    limits: FaucetLimits,
    leaseSeconds: number,
  ): Promise<FaucetCommitResult>
  /** Sends in `submitted` that are due and nobody holds; oldest due first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedSend[]>
  /** Ends the lease; the send is due again in `dueInSeconds`. False when it is no longer the newest. */
  yieldClaim(claim: FaucetClaim, dueInSeconds: number): Promise<boolean>
  /**
   * Ends a send, if the claim's token is still the newest. One that failed counts in amounts no
   * more, yet still as a request.
   */
  settle(
    claim: FaucetClaim,
    status: Exclude<FaucetStatus, 'submitted'>,
  ): Promise<'committed' | 'stale'>
}
