import type { ChainReader } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'
import { startTronDevnet, type TronDevnet, type TronDevnetOptions } from '@quipu/simulators'
import { onTestFinished } from 'vitest'
import { tronAddressFormat } from './address/address.ts'
import { tronChainReader } from './block/chain-reader.ts'
import { tronNode, type TronNode, type TronNodeOptions } from './node/tron-node.ts'

/** Addresses without a known key. */
export const alice = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const bruno = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
export const carla = 'TWsm8HtU2A5eEzoT8ev8yaoFjHsXLLrckb'

export function accountAt(address: string): ChainAccount {
  const account = tronAddressFormat.parse(address)
  if (account === undefined) throw new Error(`${address} is not an address`)
  return account
}

/** The `result` of a simulated call that ended with this exception. */
export const vmError = (exception: string): object => ({
  code: 'OTHER_ERROR',
  message: Buffer.from(`class org.tron.core.vm.program.Program$${exception}`).toString('hex'),
})

export type Fixture = {
  readonly devnet: TronDevnet
  readonly node: TronNode
  readonly reader: ChainReader
  /** Every requested wait in ms; the fixture's timer does not wait. */
  readonly waits: number[]
  /** Creates another client, by default of the devnet's first node. */
  client(options?: Partial<TronNodeOptions>): TronNode
  /** Mines the pending transactions until they are solid. @returns their block number */
  solidify(): number
}

export async function startFixture(options: TronDevnetOptions = {}): Promise<Fixture> {
  const devnet = await startTronDevnet({ now: () => new Date('2026-11-21T12:00:00.000Z'), solidLag: 3, ...options })
  onTestFinished(devnet.stop)
  const waits: number[] = []
  const client = (more: Partial<TronNodeOptions> = {}): TronNode => {
    const node = tronNode({
      url: devnet.url,
      requestsPerSecond: 10_000,
      timer: (ms) => {
        waits.push(ms)
        return { done: Promise.resolve(), cancel: () => undefined }
      },
      ...more,
    })
    onTestFinished(node.stop)
    return node
  }
  const node = client()
  return {
    devnet,
    node,
    reader: tronChainReader({ node, tokenContract: devnet.tokenContract }),
    waits,
    client,
    solidify() {
      const { number } = devnet.mine()
      while (devnet.head('solid').number < number) devnet.mine()
      return number
    },
  }
}
