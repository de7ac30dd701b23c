import type { Log } from '../token/abi.ts'
import type { Address } from '../account/address.ts'

export const transactionResults = ['SUCCESS', 'REVERT', 'OUT_OF_ENERGY', 'OUT_OF_TIME', 'ILLEGAL_OPERATION'] as const
/** `contractRet` of a transaction: all but `SUCCESS` undo its effects. */
export type TransactionResult = (typeof transactionResults)[number]

/** The effect of a scripted transaction. */
export type Script = {
  /** Token transfers, each with its `Transfer` log, before `logs`. */
  readonly transfers: readonly {
    readonly token: Address
    readonly from: Address
    readonly to: Address
    readonly value: bigint
  }[]
  /** Additional logs, true or false. */
  readonly logs: readonly Log[]
  /** Any result but `SUCCESS` reverts transfers and logs. */
  readonly result: TransactionResult
}
