import type { Usdt } from '../money.ts'

/** The chains that deposits come from. */
export type Chain = 'tron'

/** An account as the chain's logs name it: for Tron 40 hex digits, without the `41`. */
export type ChainAccount = string

/** A block by its number and id. `at` is the block's own time. */
export type BlockRef = { readonly number: number; readonly id: string; readonly at: Date }

/** One log of a successful transaction: a transfer of the configured token. */
export type TokenTransfer = {
  /** 64 hex digits. */
  readonly txHash: string
  /** Its index among all logs of its transaction, from 0. */
  readonly index: number
  readonly from: ChainAccount
  readonly to: ChainAccount
  /** In the token's smallest unit, micro-USDT; 0 to 2²⁵⁶ − 1. */
  readonly value: bigint
  /** Its transaction cannot enter a block with a later time. */
  readonly expiresAt: Date
}

/** A transfer in the log of another contract than the token's. */
export type UnknownTokenTransfer = Pick<TokenTransfer, 'txHash' | 'to'> & { readonly contract: ChainAccount }

/** A transfer to a top-up address that opens no deposit. */
export type UnmatchedTransfer = {
  readonly kind: UnmatchedKind
  readonly tenantId: string
  /** The top-up address. */
  readonly address: string
  readonly txHash: string
  /** The token's contract, in the format of the chain's logs; null for the configured token. */
  readonly contract: ChainAccount | null
}

/** The kinds of transfers that open no deposit. */
export const unmatchedKinds = ['zero_value', 'unknown_token'] as const
type UnmatchedKind = (typeof unmatchedKinds)[number]

/** Any sender decides how many there are, and each is a log line: beyond this number they are only counted. */
export const unmatchedMax = 50

/** One whole block, checked to be complete. */
export type ChainBlock = BlockRef & {
  readonly parentId: string
  /** The ids of all its transactions, including failed ones. */
  readonly transactions: readonly string[]
  readonly transfers: readonly TokenTransfer[]
  /** Transfers in the logs of other contracts than the token's. */
  readonly unknownTokenTransfers: readonly UnknownTokenTransfer[]
}

/** The chain up to its newest block, which a fork may revert (`head`), or up to its newest final one (`solid`). */
export type ChainView = 'head' | 'solid'

/** The state of the token's contract: only `normal` allows automatic credits. */
export type TokenState = 'normal' | 'paused' | 'deprecated' | 'charges_fee'

/** Reads the chain. Every method throws `Unavailable` when the node gives no valid answer. */
export type ChainReader = {
  readonly chain: Chain
  /** The newest block of the view. */
  head(view: ChainView): Promise<BlockRef>
  /** The whole block; undefined while this view does not have it. */
  block(view: ChainView, number: number): Promise<ChainBlock | undefined>
  /** The block's id and time only; undefined while this view does not have it. */
  ref(view: ChainView, number: number): Promise<BlockRef | undefined>
  /** The number of the solid block that has this transaction; undefined while none has. */
  blockOf(txHash: string): Promise<number | undefined>
  tokenState(): Promise<TokenState>
  /** Whether the token's issuer, or the operator, has blocked this account. */
  isBlocked(account: ChainAccount): Promise<boolean>
}

/** Token balances that solid blocks show: each one that of a block from number `from` to number `through`. */
export type SolidBalances = {
  readonly from: number
  readonly through: number
  /** In the token's smallest unit, of every account asked for that is not `unread`. */
  readonly balances: ReadonlyMap<ChainAccount, bigint>
  /** Accounts whose balance the node did not answer, although it answered others. */
  readonly unread: readonly ChainAccount[]
}

/** Reads token balances in solid blocks. */
export type BalanceReader = {
  /** @throws Unavailable when the node gives no valid answer for any of them */
  tokenBalances(accounts: readonly ChainAccount[]): Promise<SolidBalances>
}

/** The text form of addresses. Pure. */
export type AddressFormat = {
  format(account: ChainAccount): string
  /** Undefined when the text is not an address or its checksum is wrong. */
  parse(address: string): ChainAccount | undefined
}

/** Derives top-up addresses from a public key, which cannot spend. Pure. */
export type AddressSource = {
  /** @param index  0 to 2³¹ − 1 */
  derive(index: number): { readonly account: ChainAccount; readonly address: string }
}

/** A signed transfer: exactly these bytes are broadcast. */
export type SignedTransfer = {
  readonly txHash: string
  /** The whole signed transaction, UTF-8 JSON. */
  readonly bytes: Uint8Array
  readonly expiresAt: Date
}

/** A transfer to sign. */
export type TransferOrder = {
  readonly to: ChainAccount
  readonly amount: Usdt
  /** The maximum fee, in sun. */
  readonly feeLimit: bigint
  /** A solid block: a fork cannot invalidate the transaction. */
  readonly reference: BlockRef
  /** Distinguishes two transfers that are otherwise equal. */
  readonly at: Date
  readonly expiresAt: Date
}

/** Signs transfers with a key in this process or in a key management service. */
export type TransferSigner = {
  readonly account: ChainAccount
  /** @throws Unavailable when the key management service cannot be reached */
  sign(order: TransferOrder): Promise<SignedTransfer>
}

/** The outcome of a transaction in solid blocks. */
export type TransferOutcome =
  | { readonly type: 'confirmed' }
  /** It is in a block and moved nothing. */
  | { readonly type: 'failed' }
  /** No solid block has it; `through` is the newest solid block of the node that answered. */
  | { readonly type: 'absent'; readonly through: BlockRef }

/** Sends signed transfers. Every method throws `Unavailable` when the node gives no valid answer. */
export type Broadcaster = {
  /** False for accounts from which tokens never return: the zero account, the token's contract. Pure. */
  canReceive(account: ChainAccount): boolean
  /**
   * The fee limit for a transfer, in sun.
   *
   * @returns `insufficient` when a balance of `from` that was read, of tokens or of TRX and energy, does not
   *   suffice; `refused` when the token would revert the transfer, or it costs more than the maximum fee limit
   */
  prepare(from: ChainAccount, to: ChainAccount, amount: Usdt): Promise<bigint | 'insufficient' | 'refused'>
  /**
   * Sends the bytes; repeating it is safe. `accepted` does not prove that the transaction will be in a
   * block, and `stopped` does not prove that it will not. `duplicate`: the node has seen the transaction, which it
   * may have accepted or refused.
   */
  broadcast(transfer: SignedTransfer): Promise<'accepted' | 'duplicate' | 'stopped'>
  outcome(txHash: string): Promise<TransferOutcome>
}
