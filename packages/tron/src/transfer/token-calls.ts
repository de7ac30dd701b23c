import { Unavailable } from '@quipu/core'
import type { ChainAccount, ChainView } from '@quipu/core/adapter'
import { z } from 'zod'
import { toHexAddress } from '../address/address.ts'
import type { TronNode } from '../node/tron-node.ts'

/** What a call of a contract came to, without leaving a trace. */
export type Trial =
  | { readonly type: 'returned'; readonly data: string; readonly energy: bigint }
  | { readonly type: 'reverted' }

const Constant = z.object({
  result: z.object({
    result: z.boolean().default(false),
    code: z.string().optional(),
    /** Text in hex. */
    message: z.string().default(''),
  }),
  constant_result: z.array(z.string().regex(/^([0-9a-f]{2})*$/)).default([]),
  energy_used: z.int().min(0).default(0),
})

const reverted = 'REVERT opcode executed'
const nobody: ChainAccount = '0'.repeat(40)

type Call = {
  readonly contract: ChainAccount
  /** Such as `balanceOf(address)`. */
  readonly method: string
  readonly words?: readonly string[]
  /** Nobody by default. */
  readonly caller?: ChainAccount
}

/** @throws Unavailable when the contract is not there, or the node ran out of time */
export async function tryCall(node: TronNode, view: ChainView, call: Call): Promise<Trial> {
  const { contract, method, words = [], caller = nobody } = call
  const body = {
    owner_address: toHexAddress(caller),
    contract_address: toHexAddress(contract),
    function_selector: method,
    parameter: words.join(''),
  }
  const answer = await node.ask(view, 'triggerconstantcontract', body, Constant)
  const { result, constant_result, energy_used } = answer
  const message = Buffer.from(result.message, 'hex').toString()
  if (result.result && message === '')
    return { type: 'returned', data: constant_result[0] ?? '', energy: BigInt(energy_used) }
  if (result.result && message === reverted) return { type: 'reverted' }
  throw new Unavailable('chain', `${method}: ${result.code ?? 'failed'} ${message}`)
}

/**
 * Reads one number of the contract.
 *
 * @returns undefined when the contract has no such function
 */
export async function readNumber(
  node: TronNode,
  view: ChainView,
  call: Call,
): Promise<bigint | undefined> {
  const trial = await tryCall(node, view, call)
  if (trial.type === 'reverted' || trial.data === '') return undefined
  if (trial.data.length !== 64)
    throw new Unavailable('chain', `${call.method}: ${trial.data.length / 2} bytes`)
  return BigInt(`0x${trial.data}`)
}

export const accountWord = (account: ChainAccount): string => account.padStart(64, '0')
export const numberWord = (value: bigint): string => value.toString(16).padStart(64, '0')
