import type { Chain, ChainAccount } from '../chain/chain.ts'
import type { KeyUse } from '../key-ring/key-ring.ts'
import type { Usdt } from '../money.ts'
import type { Acting } from '../access/operator.ts'

/** Where a tenant sends USDT. A retired address stays stored and scanned. */
export type TopUpAddress = {
  readonly tenantId: string
  readonly chain: Chain
  /** Its index in the derivation path. */
  readonly index: number
  readonly account: ChainAccount
  readonly address: string
  /** Binds tenant, chain, index and address, so that a changed row is detected (`addressMac`). */
  readonly mac: string
  readonly createdAt: Date
  readonly retiredAt: Date | null
}

/** A transfer to a top-up address, as the database records it. */
export type RecordedTransfer = {
  readonly sender: ChainAccount
  /** The current row of the address it was sent to. */
  readonly topUp: TopUpAddress
  readonly deposit: { readonly txHash: string; readonly transferIndex: number; readonly amount: Usdt }
}

/** Stores top-up addresses. Every method throws `Unavailable` when the database cannot be read or written. */
export type TopUpAddressStore = {
  /** The tenant's addresses that are not retired. */
  list(tenantId: string): Promise<readonly TopUpAddress[]>
  /** Some of the tenant's addresses, also retired ones, the newest first. */
  listAll(tenantId: string, limit: number): Promise<readonly TopUpAddress[]>
  /**
   * The tenant's address on the chain; inserts the result of `make` when there is none. `make` gets an
   * index that no other address has or will have. Concurrent callers get the same address.
   */
  ensure(
    tenantId: string,
    chain: Chain,
    make: (index: number) => Omit<TopUpAddress, 'retiredAt'>,
  ): Promise<TopUpAddress>
  /** The accounts among these that are, or ever were, top-up addresses; never read from a cache. */
  match(chain: Chain, accounts: readonly ChainAccount[]): Promise<readonly TopUpAddress[]>
  /** Addresses, also retired ones, whose MAC another key than this one made, in the order of their accounts. */
  listByOtherKeys(keyId: string, after: string, limit: number): Promise<readonly TopUpAddress[]>
  /** Replaces the address's MAC. False when it is no longer the one of `topUp`. */
  renewMac(topUp: TopUpAddress, mac: string): Promise<boolean>
  /** How many MACs each key has made. */
  keyUse(): Promise<readonly KeyUse[]>
  /** Some addresses whose MAC this key made, the newest first. */
  sample(keyId: string, limit: number): Promise<readonly TopUpAddress[]>
  /**
   * Retires the tenant's address on the chain, with the audit entry `topUpAddressRetired`. `stale`: there is none.
   * `unauthorized`: without the active token of an operator.
   */
  retire(tenantId: string, chain: Chain, by: Acting): Promise<'committed' | 'stale' | 'unauthorized'>
}
