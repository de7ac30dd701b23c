import type { TransactionResult } from '../transaction/script.ts'

/** A block by its number and id. `timestamp` is in ms. */
export type BlockRef = { readonly number: number; readonly id: string; readonly timestamp: number }

/** Which state is looked at: after the newest block, or after the solid one. */
export type Level = 'head' | 'solid'

/** A `Transfer` log on the chain. Addresses are `T…`; `index` is its place in its transaction. */
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

/** A log to be said, true or not: a transfer, or whatever bytes. */
export type ScriptedLog =
  | (TransferRequest & { readonly topics?: undefined })
  | {
      /** The devnet's USDT by default. */
      readonly contract?: string | undefined
      /** Hex, 32 bytes each, or an event's signature such as `Pause()` or `Transfer(address,…)`. */
      readonly topics: readonly string[]
      readonly data?: string | undefined
    }

export type ScriptRequest = {
  /** Who sends the transaction, and the contract that it calls; made up by default. */
  readonly from?: string | undefined
  readonly contract?: string | undefined
  /** Tokens that really move, in this order, as a multi-sender does it. */
  readonly transfers?: readonly TransferRequest[] | undefined
  /** What is said besides, whether true or not. */
  readonly logs?: readonly ScriptedLog[] | undefined
  readonly result?: TransactionResult | undefined
  readonly expiresInMs?: number | undefined
}

export type ForkRequest = {
  /** Which of the transactions taken back never come again; none by default. */
  readonly drop?: 'all' | readonly string[] | undefined
  /** How many blocks take their place; one more by default. */
  readonly blocks?: number | undefined
  /** Which of the new blocks gets the transactions, from 0; the first by default, null for none. */
  readonly into?: number | null | undefined
  /** Whether the transactions come in the opposite order. */
  readonly reverse?: boolean | undefined
}

/** What a test, or the admin port, can do to the chain. Transactions it makes need no key or TRX. */
export type ChainControls = {
  /** Seals so many blocks, one by default; the first takes what is pending, unless told not to. */
  mine(count?: number, options?: { readonly empty?: boolean | undefined }): BlockRef
  /** Takes back the newest blocks and puts others in their place. @throws Refusal below solid */
  fork(depth: number, request?: ForkRequest): BlockRef
  /** The solid block stands still, or goes on. */
  stallSolid(stalled?: boolean): void
  head(level?: Level): BlockRef
  /** Ids of the transactions that wait for a block. */
  pending(): string[]
  /** The network loses these pending transactions, or all. */
  forget(txids?: readonly string[]): void
  /** Adds TRX, in sun, and energy a day, at once and on every fork; the account is then active. */
  fund(address: string, grant: { readonly sun?: bigint; readonly energy?: number }): void
  /** Sets a balance at once and on every fork, without a log. */
  setTokenBalance(address: string, value: bigint, token?: string): void
  /** At once and on every fork, without a log; `call` has the token's owner do it with one. */
  blacklist(address: string, listed?: boolean, token?: string): void
  pause(paused?: boolean, token?: string): void
  /** What the token keeps of each transfer: `rate` of 10,000 parts, at most `max`. */
  setTokenFee(fee: { readonly rate: bigint; readonly max: bigint }, token?: string): void
  /** @param sun  the price of one unit of energy */
  setEnergyPrice(sun: number): void
  /** Another token with a ledger of its own. @returns its contract */
  deployToken(info?: { name?: string; symbol?: string; decimals?: number }): string
  /** Sends tokens from anybody. @returns the id of the pending transaction */
  transfer(request: TransferRequest): string
  /** Calls a function of a token as anybody; the owner by default. @returns the id */
  call(method: string, args?: readonly (bigint | string)[], as?: CallAs): string
  /** A transaction that does as told. @returns its id */
  scriptTx(script: ScriptRequest): string
  tokenBalance(address: string, level?: Level, token?: string): bigint
  trxBalance(address: string, level?: Level): bigint
  /** Every `Transfer` log on the chain, of any contract, oldest first. */
  transfers(level?: Level): ChainTransfer[]
}

export type CallAs = {
  readonly from?: string | undefined
  readonly token?: string | undefined
  readonly expiresInMs?: number | undefined
}
