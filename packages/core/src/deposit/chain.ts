import type { Usdt } from '../money.ts'

/** The chains that deposits come from. */
export type Chain = 'tron'

/** An account of a chain as its logs name it: for Tron 40 hex digits, without the `41`. */
export type ChainAccount = string

/** A block by its number and id. `at` is the block's own time. */
export type BlockRef = { readonly number: number; readonly id: string; readonly at: Date }

/** One log of a successful transaction by which the configured token moved. */
export type TokenTransfer = {
  /** 64 hex digits. */
  readonly txHash: string
  /** Its place among all logs of its own transaction, from 0. */
  readonly index: number
  readonly from: ChainAccount
  readonly to: ChainAccount
  /** In the token's smallest unit, micro-USDT; 0 to 2²⁵⁶ − 1. */
  readonly value: bigint
  /** Its transaction enters no block whose time is later. */
  readonly expiresAt: Date
}

/** Everything that one block says, checked to be complete. */
export type ChainBlock = BlockRef & {
  readonly parentId: string
  /** The ids of all its transactions, failed ones too. */
  readonly transactions: readonly string[]
  readonly transfers: readonly TokenTransfer[]
  /** Who other contracts say to have sent tokens to. Only counted. */
  readonly unknownTokenRecipients: readonly ChainAccount[]
}

/** `head` is the newest block, which a fork may take back; `solid` is final. */
export type ChainView = 'head' | 'solid'

/** What of the token's own state keeps a deposit from being credited by itself. */
export type TokenState = 'normal' | 'paused' | 'deprecated' | 'charges_fee'

/** Every method throws `Unavailable` when the node does not give a sound answer. */
export type ChainReader = {
  readonly chain: Chain
  head(view: ChainView): Promise<BlockRef>
  /** The whole block, complete or not at all; undefined while this view does not have it. */
  block(view: ChainView, number: number): Promise<ChainBlock | undefined>
  /** Only its id and time; undefined while this view does not have it. */
  ref(view: ChainView, number: number): Promise<BlockRef | undefined>
  tokenState(): Promise<TokenState>
  /** Whether the token's issuer, or the operator, has blocked this account. */
  isBlocked(account: ChainAccount): Promise<boolean>
}

/** How addresses are written for people. Pure. */
export type AddressFormat = {
  format(account: ChainAccount): string
  /** Undefined when the text is not an address, its checksum included. */
  parse(address: string): ChainAccount | undefined
}

/** Derives top-up addresses from a public key, so that its holder can spend nothing. Pure. */
export type AddressSource = {
  /** @param index  0 to 2³¹ − 1 */
  derive(index: number): { readonly account: ChainAccount; readonly address: string }
}

/** What a transfer is signed with: only these bytes are ever sent. */
export type SignedTransfer = {
  readonly txHash: string
  /** The whole signed transaction as it is broadcast, UTF-8 JSON. */
  readonly bytes: Uint8Array
  readonly expiresAt: Date
}

export type TransferOrder = {
  readonly to: ChainAccount
  readonly amount: Usdt
  /** The most that may be burned for it, in sun. */
  readonly feeLimit: bigint
  /** A solid block: a fork cannot make the transaction void. */
  readonly reference: BlockRef
  /** Sets apart two transfers that are otherwise equal. */
  readonly at: Date
  readonly expiresAt: Date
}

/** Holds a key and signs transfers with it: here, or in a key management service. */
export type TransferSigner = {
  readonly account: ChainAccount
  /** @throws Unavailable when the keeper of the key cannot be reached */
  sign(order: TransferOrder): Promise<SignedTransfer>
}

/** What became of a transaction, as far as solid blocks tell. */
export type TransferOutcome =
  | { readonly type: 'confirmed' }
  /** It is on the chain and moved nothing. */
  | { readonly type: 'failed' }
  /** No solid block has it; `through` is the newest one of the node that says so. */
  | { readonly type: 'absent'; readonly through: BlockRef }

/** Every method throws `Unavailable` when the node does not give a sound answer. */
export type Broadcaster = {
  /** The fee limit for a transfer, in sun; undefined when `from` cannot pay for it or lacks the tokens. */
  prepare(from: ChainAccount, to: ChainAccount, amount: Usdt): Promise<bigint | undefined>
  /**
   * Sends the bytes; the same ones may be sent any number of times. `accepted` is no proof that the
   * transaction will be in a block, and `stopped` none that it will not.
   */
  broadcast(transfer: SignedTransfer): Promise<'accepted' | 'stopped'>
  outcome(txHash: string): Promise<TransferOutcome>
}
