import { readFile } from 'node:fs/promises'
import { createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'
import type { Log } from './abi.ts'
import type { Address } from '../account/address.ts'

/** Result of a contract call; `answer` is hex. */
export type MachineResult = { readonly succeeded: boolean; readonly answer: string; readonly logs: readonly Log[] }

/** An EVM with compiled contracts. Addresses are Tron's, `41…`. */
export type Machine = {
  deploy(contract: string, from: Address): Promise<Address>
  call(from: Address, contract: Address, data: string, gas?: bigint): Promise<MachineResult>
}

type Solc = { compile(input: string): string }
type Compiled = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<
    string,
    Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>
  >
}

export async function startMachine(): Promise<Machine> {
  const bytecodes = await compile()
  const { evm } = await createVM()
  const addressOf = (address: Address) => createAddressFromString(`0x${address.slice(2)}`)
  const run = (from: Address, to: Address | undefined, data: string, gasLimit: bigint) =>
    evm.runCall({
      caller: addressOf(from),
      ...(to !== undefined && { to: addressOf(to) }),
      data: hexToBytes(`0x${data}`),
      gasLimit,
      skipBalance: true,
    })
  return {
    async deploy(contract, from) {
      const { createdAddress } = await run(from, undefined, bytecodes(contract), 30_000_000n)
      return `41${String(createdAddress).slice(2)}`
    },
    async call(from, contract, data, gas = 30_000_000n) {
      const { execResult } = await run(from, contract, data, gas)
      const succeeded = execResult.exceptionError === undefined
      return {
        succeeded,
        // The answer of a failed call depends on the compiler.
        answer: succeeded ? hex(execResult.returnValue) : '',
        logs: succeeded ? (execResult.logs ?? []).map(logOf) : [],
      }
    },
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const logOf = ([address, topics, data]: readonly [Uint8Array, readonly Uint8Array[], Uint8Array]): Log => ({
  contract: `41${hex(address)}`,
  topics: topics.map(hex),
  data: hex(data),
})

/** Bytecode of the reference contracts, by name. */
async function compile(): Promise<(contract: string) => string> {
  const { default: solc } = (await import('solc')) as unknown as { default: Solc }
  const content = await readFile(new URL('reference-token.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { source: { content } },
    settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  }
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
  const error = errors.find(({ severity }) => severity === 'error')
  if (error) throw new Error(error.formattedMessage)
  return (contract) => {
    const compiled = contracts['source']?.[contract]
    if (!compiled) throw new Error(`There is no contract ${contract}.`)
    return compiled.evm.bytecode.object
  }
}
