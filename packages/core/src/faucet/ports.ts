import type { ChainAccount } from '../chain/chain.ts'
import type { Usdt } from '../money.ts'
import type { FaucetDraft, FaucetLimits, FaucetSend, FaucetStatus, FaucetUsage } from './faucet.ts'

/** A lease on an unsettled send. Every claim has a higher fencing token. */
export type FaucetClaim = { readonly tenantId: string; readonly sendId: string; readonly fencingToken: number }

/** A claimed send. */
export type ClaimedSend = {
  readonly claim: FaucetClaim
  readonly send: FaucetSend
  /** How often it was claimed, including this claim. */
  readonly claimCount: number
}

/** A limit refuses the request for now. */
export type FaucetRefusal = {
  readonly code: 'FAUCET_LIMIT_EXCEEDED' | 'FAUCET_TOO_SOON'
  /** A whole number, at least 1. */
  readonly retryAfterSeconds: number
}

/** Accepts or refuses one request, by the usage at `now` without it. Pure. */
export type FaucetLimitCheck = (usage: FaucetUsage, now: Date) => FaucetRefusal | { readonly remainingToday: Usdt }

/** The result of `FaucetStore.commit`. */
export type FaucetCommitResult =
  | { readonly type: 'committed'; readonly send: FaucetSend }
  /** The tenant has used this key before. */
  | { readonly type: 'stored'; readonly send: FaucetSend }
  | { readonly type: 'refused'; readonly refusal: FaucetRefusal }
  /** Another transfer has the same transaction id: sign again with another time. */
  | { readonly type: 'collision' }

/** Stores faucet sends. Every method throws `Unavailable` when the database cannot be read or written. */
export type FaucetStore = {
  find(tenantId: string, key: string): Promise<FaucetSend | undefined>
  /** @param id  a UUID in lower case */
  get(tenantId: string, id: string): Promise<FaucetSend | undefined>
  /** The usage at `now`, by the store's clock and without a lock: for early refusals. */
  usage(
    tenantId: string,
    account: ChainAccount,
    windowSeconds: number,
  ): Promise<{ readonly usage: FaucetUsage; readonly now: Date }>
  /**
   * Inserts the request, its first answer and its signed bytes in one durable write, if (in this order) the
   * tenant's key is free, `check` accepts and the transaction id is free. Reads, checks and writes the
   * counters under their locks, in the order shared, tenant, address. `now` is the store's clock at that
   * moment; the send's `createdAt` is not earlier. The writer holds a lease of `leaseSeconds`.
   *
   * @param limits  give the window to read; a store may also enforce them itself
   * @throws when the store enforces them and an accepted request exceeds one
   */
  commit(
    draft: FaucetDraft,
    check: FaucetLimitCheck,
    limits: FaucetLimits,
    leaseSeconds: number,
  ): Promise<FaucetCommitResult>
  /** Claims sends in `submitted` that are due and not leased; oldest due first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedSend[]>
  /** Ends the lease; the send is due again in `dueInSeconds`. False when the claim is not the newest. */
  yieldClaim(claim: FaucetClaim, dueInSeconds: number): Promise<boolean>
  /**
   * Settles a send, if the claim's fencing token is the newest. A failed send counts as a request, and no
   * longer with its amount.
   */
  settle(claim: FaucetClaim, status: Exclude<FaucetStatus, 'submitted'>): Promise<'committed' | 'stale'>
}
