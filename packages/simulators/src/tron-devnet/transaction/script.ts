import type { Log } from '../token/abi.ts'
import type { Address } from '../account/address.ts'

export type TransactionResult = 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY' | 'OUT_OF_TIME'

/** What a scripted transaction does: moves tokens, says what it is told to say, and ends so. */
export type Script = {
  /** Tokens that really move, each with its own `Transfer` log, before `logs`. */
  readonly transfers: readonly {
    readonly token: Address
    readonly from: Address
    readonly to: Address
    readonly value: bigint
  }[]
  /** Said whether true or not. */
  readonly logs: readonly Log[]
  /** Anything but `SUCCESS` undoes the transfers and silences the logs. */
  readonly result: TransactionResult
}
