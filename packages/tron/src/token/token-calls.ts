import { Unavailable } from '@quipu/core'
import type { ChainAccount, ChainView } from '@quipu/core/adapter'
import { z } from 'zod'
import { toHexAddress } from '../address/address.ts'
import type { TronNode } from '../node/tron-node.ts'

/** Result of a simulated contract call. */
export type SimulatedCall =
  | { readonly type: 'returned'; readonly data: string; readonly energy: bigint }
  /**
   * The contract refused the call. `isLimit`: because of a limit of the node, which says nothing about a call that
   * the contract lacks.
   */
  | { readonly type: 'reverted'; readonly isLimit: boolean }

const Constant = z.object({
  result: z.object({
    result: z.boolean().default(false),
    code: z.string().optional(),
    /** Hex-encoded text. */
    message: z.string().default(''),
  }),
  constant_result: z.array(z.string().regex(/^([0-9a-f]{2})*$/)).default([]),
  energy_used: z.int().min(0).default(0),
})

const reverted = 'REVERT opcode executed'

/**
 * Ends of a call by the contract that java-tron answers as an error instead: a failed assert, or a jump of old compilers.
 *
 * @source the exceptions of org.tron.core.vm.program.Program
 */
const contractFaults: ReadonlySet<string> = new Set([
  'IllegalOperation',
  'BadJumpDestination',
  'StackTooSmall',
  'StackTooLarge',
  'PrecompiledContract',
  'ReturnDataCopyIllegalBounds',
  'StaticCallModification',
  'InvalidCode',
  'Transfer',
])
const limitFaults: ReadonlySet<string> = new Set(['OutOfEnergy', 'OutOfMemory', 'OutOfStorage'])

/** @param message  such as `class …Program$IllegalOperationException : Invalid operation code: opCode[fe];` */
function revertOf(isDone: boolean, message: string): SimulatedCall | undefined {
  if (isDone) return message === reverted ? { type: 'reverted', isLimit: false } : undefined
  const [, name = ''] = /^class \S+\$(\w+)Exception :/.exec(message) ?? []
  if (contractFaults.has(name)) return { type: 'reverted', isLimit: false }
  return limitFaults.has(name) ? { type: 'reverted', isLimit: true } : undefined
}

export const zeroAccount: ChainAccount = '0'.repeat(40)

type Call = {
  readonly contract: ChainAccount
  /** Such as `balanceOf(address)`. */
  readonly method: string
  readonly words?: readonly string[]
  /** The zero account by default. */
  readonly caller?: ChainAccount
}

/** @throws Unavailable if the contract does not exist or the node times out */
export async function simulateCall(node: TronNode, view: ChainView, call: Call): Promise<SimulatedCall> {
  const { contract, method, words = [], caller = zeroAccount } = call
  const body = {
    owner_address: toHexAddress(caller),
    contract_address: toHexAddress(contract),
    function_selector: method,
    parameter: words.join(''),
  }
  const answer = await node.request(view, 'triggerconstantcontract', body, Constant)
  const { result, constant_result, energy_used } = answer
  const message = Buffer.from(result.message, 'hex').toString()
  if (result.result && message === '')
    return { type: 'returned', data: constant_result[0] ?? '', energy: BigInt(energy_used) }
  const revert = revertOf(result.result, message)
  if (revert) return revert
  throw new Unavailable('chain', `${method}: ${result.code ?? 'failed'} ${message}`)
}

/**
 * Reads one number from the contract.
 *
 * @returns undefined if the contract has no such function
 */
export async function readNumber(node: TronNode, view: ChainView, call: Call): Promise<bigint | undefined> {
  const simulated = await simulateCall(node, view, call)
  if (simulated.type === 'reverted') {
    if (simulated.isLimit) throw new Unavailable('chain', `${call.method}: a limit of the node`)
    return undefined
  }
  if (simulated.data === '') return undefined
  if (simulated.data.length !== 64) throw new Unavailable('chain', `${call.method}: ${simulated.data.length / 2} bytes`)
  return BigInt(`0x${simulated.data}`)
}

export const accountWord = (account: ChainAccount): string => account.padStart(64, '0')
export const numberWord = (value: bigint): string => value.toString(16).padStart(64, '0')
