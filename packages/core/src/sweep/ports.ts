import type { BalanceReader, Chain, ChainAccount, SignedTransfer, TransferOrder } from '../chain/chain.ts'
import type { Usdt } from '../money.ts'
import type { Credential, Acting } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type {
  EndedSweepStatus,
  SweepQuote,
  SweepBatch,
  SweepPlan,
  SweepProblem,
  SweepStatus,
  SweepTransfer,
  UnsignedTransfer,
} from './sweep.ts'

/** A top-up address as the database knows it. A page's position has its `address` as `id`. */
export type SweepAddress = {
  readonly tenantId: string
  readonly account: ChainAccount
  readonly address: string
  readonly index: number
  readonly createdAt: Date
  /** The sum of all transfers to it that solid blocks confirmed, whatever became of their deposits. */
  readonly received: Usdt
  /** The amount that has left it: the sum of its sweeps that are `solid`, and of deposits that were sent back. */
  readonly swept: Usdt
  /** A deposit at it is in review, and not closed: its tokens must not mix with the treasury's. */
  readonly hasOpenReview: boolean
  /** The id of its live sweep transfer. */
  readonly liveTransferId: string | null
}

/** The amounts that left an address by sweeps, and by deposits that were sent back (`solid`). `live`: the amount of a transfer that may still move it, or moved it unseen. */
export type SweptAmounts = { readonly solid: Usdt; readonly live: Usdt }

/** A batch, and how many of its transfers are in each state. */
export type SweepBatchCounts = { readonly batch: SweepBatch; readonly counts: Readonly<Record<SweepStatus, number>> }

/** A lease on a live transfer. Every claim has a higher fencing token. */
export type SweepClaim = { readonly transferId: string; readonly fencingToken: number }

/** A claimed transfer with the treasury of its batch. */
export type ClaimedSweep = {
  readonly claim: SweepClaim
  readonly transfer: SweepTransfer
  readonly treasury: ChainAccount
  /** How often it was claimed since it was planned or signed, including this claim. */
  readonly claimCount: number
}

/** The result of an attempt to send. */
export type SweepAttempt = {
  /** When a node accepted it; null when none did. */
  readonly sentAt: Date | null
  readonly problem: SweepProblem | null
}

/** A signature of a transfer. */
export type SweepSignature = { readonly transferId: string; readonly signature: string }

/** Stores sweeps. Nothing here belongs to a tenant. Every method throws `Unavailable` when the database cannot be read or written. */
export type SweepStore = {
  /** Top-up addresses, retired ones too, newest first by (`createdAt`, `address`). */
  addresses(chain: Chain, query: PageQuery): Promise<Page<SweepAddress>>
  /**
   * Inserts the batch with its transfers, and the audit entry `auditSweepPlan`. Leaves out transfers of addresses
   * that have a live one; without any other transfer it writes nothing.
   *
   * @returns the transfers that were inserted; `unauthorized` without the active token of an admin
   * @throws Error when the treasury, or an address that is not one, is a top-up address
   */
  insert(plan: SweepPlan, by: Credential): Promise<readonly SweepTransfer[] | 'unauthorized'>
  find(batchId: string): Promise<SweepPlan | undefined>
  /** Newest first by (`createdAt`, `id`) of the batch. */
  list(query: PageQuery): Promise<Page<SweepBatchCounts>>
  /**
   * Signs those of the transfers that are `planned`, and makes them due at once, with the audit entry
   * `auditSweepSignatures` if there are any. The first signature stays.
   *
   * @returns the ids of those that this call has signed; `unauthorized` without the active token of an operator
   */
  sign(batchId: string, signatures: readonly SweepSignature[], by: Acting): Promise<readonly string[] | 'unauthorized'>
  /** Claims live transfers that are due and not leased; oldest due first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedSweep[]>
  /**
   * Ends the lease and records the attempt; the transfer is due again in `dueInSeconds`. False when the claim is
   * not the newest.
   */
  yieldClaim(claim: SweepClaim, dueInSeconds: number, attempt: SweepAttempt): Promise<boolean>
  /** Ends a live transfer, if the claim's fencing token is the newest. */
  settle(claim: SweepClaim, status: EndedSweepStatus, at: Date): Promise<'committed' | 'stale'>
  /** The amounts that left these accounts by sweeps and by deposits that were sent back; accounts without either are missing. */
  sweptOf(chain: Chain, accounts: readonly ChainAccount[]): Promise<ReadonlyMap<ChainAccount, SweptAmounts>>
}

/** The chain of sweeps. Every method that asks a node throws `Unavailable` without a valid answer. */
export type SweepChain = BalanceReader & {
  /** The present fee of a transfer; undefined when it would revert: too few tokens, a blocked account, a paused token. */
  cost(from: ChainAccount, to: ChainAccount, amount: Usdt): Promise<SweepQuote | undefined>
  /** Builds the bytes to sign, without a request. */
  build(from: ChainAccount, order: TransferOrder): Promise<UnsignedTransfer>
  /** The transfer with its signature; undefined when the signature is not that of the account's key. Pure. */
  join(transfer: UnsignedTransfer, account: ChainAccount, signature: string): SignedTransfer | undefined
}

/** The facts of a transfer for its signer. */
export type SweepToSign = Pick<SweepTransfer, 'index' | 'address' | 'amount' | 'txHash' | 'rawHex' | 'transaction'>

/**
 * Signs sweeps with keys in a key management service. Without one, transfers are exported and signed offline.
 *
 * An implementation reads recipient and amount from `rawHex`, and signs for its own treasury only.
 */
export type SweepSigner = {
  /** @returns 65 bytes in hex. @throws Unavailable when the service cannot be reached */
  sign(transfer: SweepToSign): Promise<string>
}
