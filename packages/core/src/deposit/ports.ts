import type { NewEvent } from '../event/event.ts'
import type { Redated } from '../event/redate-event.ts'
import type { Usdt } from '../money.ts'
import type { Page, PageQuery } from '../page.ts'
import type { AuditAuthor } from '../tenant/ports.ts'
import type { ChainAccount, BlockRef, Chain, ChainView } from './chain.ts'
import type {
  ClosedReview,
  CreditedDeposit,
  Deposit,
  DepositInReview,
  DepositStatus,
  DepositStep,
  PendingDeposit,
  TransferRef,
} from './deposit.ts'

/** Where a tenant sends USDT. Never forgotten: a retired address is watched for ever. */
export type TopUpAddress = {
  readonly tenantId: string
  readonly chain: Chain
  /** Its place in the account's derivation path. */
  readonly index: number
  readonly account: ChainAccount
  readonly address: string
  /** Seals tenant, index and address together, so that a changed row is noticed. */
  readonly mac: string
  readonly createdAt: Date
  readonly retiredAt: Date | null
}

export type TopUpAddressStore = {
  /** The tenant's addresses that are not retired. */
  list(tenantId: string): Promise<readonly TopUpAddress[]>
  /**
   * The tenant's address on the chain: the one it has, or a new one. `make` is given an index that
   * no other address has or will have, and is not called when there is one. Callers that come at
   * once get the same.
   */
  ensure(
    tenantId: string,
    chain: Chain,
    make: (index: number) => Omit<TopUpAddress, 'retiredAt'>,
  ): Promise<TopUpAddress>
  /** Those of these accounts that are, or ever were, a top-up address: read afresh. */
  match(chain: Chain, accounts: readonly ChainAccount[]): Promise<readonly TopUpAddress[]>
  /** Retires the tenant's address on the chain, with the entry `topUpAddressRetired`. False when there is none. */
  retire(tenantId: string, chain: Chain, author: AuditAuthor): Promise<boolean>
}

/** A lease on the scan of one view of a chain. The fencing token grows with every claim. */
export type ScanClaim = {
  readonly chain: Chain
  readonly view: ChainView
  readonly fencingToken: number
}

export type ClaimedScan = {
  readonly claim: ScanClaim
  /** The last block that was scanned; undefined before the first. */
  readonly at: BlockRef | undefined
}

/** A transfer to a top-up address, found in a block. */
export type ObservedTransfer = {
  /** Written when this transfer was never seen before. */
  readonly step: DepositStep<PendingDeposit, NewEvent>
  readonly sender: ChainAccount
  readonly block: number
  /** When its transaction can no longer enter a block. */
  readonly expiresAt: Date
}

/** What one or more blocks in a row add. One durable write. */
export type ScanAdvance = {
  /** The block that was the last one until now; undefined for the first scan. */
  readonly from: BlockRef | undefined
  /** In order, each the parent of the next. At least one. */
  readonly blocks: readonly BlockRef[]
  readonly observedTransfers: readonly ObservedTransfer[]
  /** With `solid` only: pending transfers that solid blocks prove will never be. */
  readonly gone: readonly TransferRef[]
}

/** A pending deposit that no solid block has shown yet, to the top-up address that it was seen to go to. */
export type UnconfirmedTransfer = TransferRef & {
  readonly address: string
  readonly expiresAt: Date
}

export type ScanStore = {
  /** Undefined while another holds the scan. */
  claim(chain: Chain, view: ChainView, leaseSeconds: number): Promise<ClaimedScan | undefined>
  /** False when the claim is no longer the newest. */
  renew(claim: ScanClaim, leaseSeconds: number): Promise<boolean>
  /** Gives the claim back before its lease ends. */
  yieldClaim(claim: ScanClaim): Promise<void>
  /** The last block scanned; undefined before the first. */
  at(chain: Chain, view: ChainView): Promise<BlockRef | undefined>
  /** The head's blocks that were scanned and not taken back, newest first, above `number`. */
  refsAbove(chain: Chain, number: number): Promise<readonly BlockRef[]>
  /** Pending deposits first seen at `throughBlock` or below that solid blocks have not decided. */
  unconfirmed(chain: Chain, throughBlock: number): Promise<readonly UnconfirmedTransfer[]>
  /**
   * Writes observed transfers and moves the scan on, if the claim's fencing token is the newest and the scan is at
   * `from`. A transfer has at most one deposit that is not gone. Each new deposit's event is an entry of its
   * tenant's log, and is redated where the log has a later one (`redateEvent`).
   *
   * In the head's view an observed transfer only adds a deposit to a transfer that never had one. In the solid
   * view what is `gone` comes first. Then each observed transfer makes the transfer's deposit due, with the
   * amount and sender that the solid block shows: a new one when there is none that is not gone, or
   * when it is pending at another address, which is gone thereby. So whatever the head has shown,
   * what solid blocks show is what counts. What they have decided once, no later write changes.
   *
   * @returns the observed transfers by which solid blocks contradict what they said before: that the transfer
   *   will never be (it has a new deposit then), or goes to another address (it has none)
   */
  advance(
    claim: ScanClaim,
    write: ScanAdvance,
  ): Promise<{ type: 'committed'; contradicted: readonly TransferRef[] } | { type: 'stale' }>
  /** Takes the head's scan back to a block that was scanned, or to the solid scan's. */
  rewind(claim: ScanClaim, from: BlockRef, to: BlockRef): Promise<'committed' | 'stale'>
}

/** A lease on a deposit that solid blocks have decided. The fencing token grows with every claim. */
export type DepositClaim = {
  readonly tenantId: string
  readonly depositId: string
  readonly fencingToken: number
}

export type ClaimedDeposit = {
  readonly claim: DepositClaim
  readonly deposit: PendingDeposit
  readonly sender: ChainAccount
  /** Where solid blocks show it; `gone` when they prove that it will never be. */
  readonly solid: { readonly type: 'confirmed'; readonly block: number } | { readonly type: 'gone' }
  /** The address that it came to, as it is now. */
  readonly topUp: TopUpAddress
  readonly tenantStatus: 'active' | 'suspended'
  /** This claim included. */
  readonly claimCount: number
}

/**
 * One durable write: state, transfer and event together, guarded on the state it expects. A settlement whose
 * instant is before the newest entry of the tenant's log is dated as that one, with its event and its row in
 * the audit log; where it is a credit, the result says so (`Redated`).
 */
export type DepositCommit =
  /** Settles a pending deposit, if the claim's fencing token is still the newest. */
  | {
      readonly kind: 'settle'
      readonly step: DepositStep<CreditedDeposit | DepositInReview, NewEvent>
      readonly claim: DepositClaim
      /** Bounds the credit of a deposit that one provider alone has shown; absent when two have. */
      readonly unverifiedLimits?: UnverifiedLimits
    }
  /** An operator credits a deposit in review that is not closed. The store writes the audit row. */
  | {
      readonly kind: 'credit'
      readonly step: DepositStep<CreditedDeposit, NewEvent>
      readonly actor: string
      readonly reason: string
    }
  /** An operator closes a deposit in review that is not closed. The store writes the audit row. */
  | { readonly kind: 'close'; readonly step: DepositStep<ClosedReview, null> }

export type DepositQuery = PageQuery & {
  readonly status?: DepositStatus
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

export type DepositStore = {
  get(tenantId: string, id: string): Promise<Deposit | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(tenantId: string, query: DepositQuery): Promise<Page<Deposit>>
  /** For operators: of any tenant. */
  find(id: string): Promise<Deposit | undefined>
  /** For operators: of all tenants. `open` leaves out what was closed. */
  listAll(query: DepositQuery & { readonly open?: boolean }): Promise<Page<Deposit>>
  /** Deposits that solid blocks have decided and nobody holds; oldest first. */
  claimDue(limit: number, leaseSeconds: number): Promise<readonly ClaimedDeposit[]>
  /** Gives the claim back: the deposit is due again in `dueInSeconds`. False when it is no longer the newest. */
  yieldClaim(claim: DepositClaim, dueInSeconds: number): Promise<boolean>
  /**
   * Answers after the write is durable: `committed` or `Redated`. Otherwise nothing was written: `stale`, read it back;
   * `above_unverified_limit`, the credit and those of the last 24 hours by the store's clock that one
   * provider alone has shown exceed a limit of the write, whatever is committed at the same time.
   */
  commit(write: DepositCommit): Promise<'committed' | Redated | 'stale' | 'above_unverified_limit'>
}

/** What may be credited in 24 hours on the word of one provider alone. */
export type UnverifiedLimits = {
  readonly perTenant: Usdt
  /** Of all tenants together. */
  readonly inAll: Usdt
}

/** What a wallet's deposits must fulfil to be credited without a person. */
export type DepositRules = {
  readonly minimum: Usdt
  /** Above it a person decides. */
  readonly autoLimit: Usdt
  /** From it on a second provider must agree, if there is one. */
  readonly verifyFrom: Usdt
  /** Above them a second provider must agree too, or a person decides. */
  readonly unverifiedLimits: UnverifiedLimits
}
