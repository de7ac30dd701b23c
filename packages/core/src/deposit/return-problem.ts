import type { AddressFormat, ChainReader } from '../chain/chain.ts'
import { toDecimal } from '../money.ts'
import type { DepositReturn } from './deposit.ts'
import type { DepositStore } from './ports.ts'
import { solidBlockOf } from './solid-block.ts'

/** The ports of `returnProblem`. */
export type ReturnProblemPorts = {
  /** Left out: no chain is configured, and nothing is compared. */
  readonly reader?: Pick<ChainReader, 'block' | 'blockOf'> | undefined
  readonly format?: Pick<AddressFormat, 'parse'> | undefined
  readonly deposits: Pick<DepositStore, 'find'>
}

/**
 * Why a transaction does not send a deposit back; null when it does, and where nothing can be compared.
 *
 * @throws Unavailable when node or store do not answer
 */
export type ReturnProblem = (depositId: string, returned: DepositReturn) => Promise<string | null>

/**
 * Compares a return with the chain: a solid block must have the transfer of the whole amount from the top-up address to
 * the named one. A solid block never changes, so it is compared once, before a person proposes it.
 *
 * @source assumed
 * @example
 * ```ts
 * const problem = await returnProblem(ports)('dep_none', { toAddress: 'T', txHash: '00' })
 * console.log(problem) // null
 * ```
 */
export function returnProblem({ reader, format, deposits }: ReturnProblemPorts): ReturnProblem {
  return async (depositId, { toAddress, txHash }) => {
    if (!reader || !format) return null
    const deposit = await deposits.find(depositId)
    if (!deposit) return null
    const block = await solidBlockOf(reader, txHash)
    if (!block) return 'is in no solid block: the transaction is not final yet, or is of another chain'
    const { address, amount } = deposit
    const [sender, receiver] = [format.parse(address), format.parse(toAddress)]
    const isReturned = block.transfers.some(
      ({ txHash: hash, from, to, value }) =>
        hash === txHash && from === sender && to === receiver && value === amount.minor,
    )
    return isReturned ? null : `moves no ${toDecimal(amount)} USDT from ${address} to ${toAddress}`
  }
}
