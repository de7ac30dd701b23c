import type { TransactionResult } from '../transaction/script.ts'

/** A block by its number and id. `timestamp` is in ms. */
export type BlockRef = { readonly number: number; readonly id: string; readonly timestamp: number }

/** The state after the newest block, or after the solid one. */
export type Level = 'head' | 'solid'

/** A `Transfer` log. Addresses are `T…`; `index` is its position in its transaction. */
export type ChainTransfer = {
  readonly txid: string
  readonly index: number
  readonly block: number
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly value: bigint
}

/** Addresses are `T…` or `41…` in hex, amounts in the token's smallest unit. */
export type TransferRequest = {
  readonly from: string
  readonly to: string
  readonly value: bigint
  /** The devnet's USDT by default. */
  readonly token?: string | undefined
}

/** A log without effect: a transfer, or any topics and data. */
export type ScriptedLog =
  | (TransferRequest & { readonly topics?: undefined })
  | {
      /** The devnet's USDT by default. */
      readonly contract?: string | undefined
      /** Hex, 32 bytes each, or an event's signature such as `Pause()` or `Transfer(address,…)`. */
      readonly topics: readonly string[]
      readonly data?: string | undefined
    }

/** A transaction with a given effect. It succeeds, and lives for an hour, by default. */
export type ScriptRequest = {
  /** Sender and called contract; fixed addresses by default. */
  readonly from?: string | undefined
  readonly contract?: string | undefined
  /** Token transfers in this order, as by a multi-sender contract. */
  readonly transfers?: readonly TransferRequest[] | undefined
  /** Additional logs, true or false. */
  readonly logs?: readonly ScriptedLog[] | undefined
  readonly result?: TransactionResult | undefined
  readonly expiresInMs?: number | undefined
}

/** The blocks that replace the newest ones. */
export type ForkRequest = {
  /** Transactions to remove; none by default. The others become pending again. */
  readonly drop?: 'all' | readonly string[] | undefined
  /** Number of new blocks; one more than replaced by default. */
  readonly blocks?: number | undefined
  /** Index of the new block with the transactions; 0 by default, null for none. */
  readonly into?: number | null | undefined
  /** Whether to reverse the order of the transactions. */
  readonly reverse?: boolean | undefined
}

/** Controls of the chain, for tests and the admin port. Their transactions need no key or TRX. */
export type ChainControls = {
  /** Mines `count` blocks, 1 by default. The first has the pending transactions, unless `empty`. */
  mine(count?: number, options?: { readonly empty?: boolean | undefined }): BlockRef
  /** Replaces the newest `depth` blocks by others. @throws Refusal if one of them is solid */
  fork(depth: number, request?: ForkRequest): BlockRef
  /** Restarts the chain's only nodes: blocks that are not solid, and pending transactions, are lost. */
  restart(): BlockRef
  /** Stops or resumes the solid block. */
  stallSolid(stalled?: boolean): void
  head(level?: Level): BlockRef
  /** Ids of pending transactions. */
  pending(): string[]
  /** Adds TRX, in sun, and daily energy on every fork, and creates the account. */
  fund(address: string, grant: { readonly sun?: bigint; readonly energy?: number }): void
  /** Sets a balance on every fork, without a log. */
  setTokenBalance(address: string, value: bigint, token?: string): void
  /** Sets the fee of transfers: `rate` of 10,000 parts, at most `max`. */
  setTokenFee(fee: { readonly rate: bigint; readonly max: bigint }, token?: string): void
  /** @param sun  price of one unit of energy */
  setEnergyPrice(sun: number): void
  /** Deploys another token. @returns its contract */
  deployToken(info?: {
    name?: string
    symbol?: string
    decimals?: number
    /** Whether its arithmetic ends in a failed assert (INVALID), as with old compilers, and not in a revert. */
    asserts?: boolean
    /** The account that may pause it, and block others; without a key by default. */
    owner?: string
  }): string
  /** Sends tokens from any address. @returns the id of the pending transaction */
  transfer(request: TransferRequest): string
  /** Calls a function of a token from any address, by default its owner. @returns the id */
  call(method: string, args?: readonly (bigint | string)[], as?: CallAs): string
  /** Creates a transaction with a given effect. @returns its id */
  scriptTx(script: ScriptRequest): string
  tokenBalance(address: string, level?: Level, token?: string): bigint
  trxBalance(address: string, level?: Level): bigint
  /** All `Transfer` logs of all contracts, oldest first. */
  transfers(level?: Level): ChainTransfer[]
}

/** The caller, the called token and the lifetime: the owner, the devnet’s USDT and an hour by default. */
export type CallAs = {
  readonly from?: string | undefined
  readonly token?: string | undefined
  readonly expiresInMs?: number | undefined
}
