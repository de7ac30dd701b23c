import { Unavailable } from '@quipu/core'
import type { ChainView } from '@quipu/core/adapter'
import { z } from 'zod'
import { readAddress, toHexAddress } from './address/address.ts'
import { HeaderOrEmpty } from './block/block-answers.ts'
import { readNumber } from './token/token-calls.ts'
import type { TronNode } from './node/tron-node.ts'

/** Genesis block ids, which identify the chains. */
export const genesisBlockIds = {
  mainnet: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  shasta: '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e',
  nile: '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
} as const

/** The chain and the token that the settings name, to be compared with those of a node. */
export type ExpectedChain = {
  readonly genesisBlockId: string
  /** `T…` */
  readonly tokenContract: string
  readonly decimals: number
}

/**
 * Checks at start that both nodes belong to the configured chain and that the token exists, so that a
 * sandbox cannot run on the real chain or the reverse.
 *
 * @throws Error with the mismatch; the process must not start
 * @throws Unavailable if a node does not answer; retry later
 */
export async function checkChain(node: TronNode, expected: ExpectedChain): Promise<void> {
  for (const view of ['head', 'solid'] as const) await checkFirstBlock(node, view, expected)
  await checkToken(node, expected)
}

async function checkFirstBlock(node: TronNode, view: ChainView, { genesisBlockId }: ExpectedChain): Promise<void> {
  const which = view === 'head' ? 'The full node' : 'The solidity node'
  const first = await node.request(view, 'getblock', { id_or_num: '0', detail: false }, HeaderOrEmpty)
  if (!first) throw new Unavailable('chain', `${which} has no genesis block`)
  if (first.id !== genesisBlockId)
    throw new Error(`${which} belongs to ${nameOf(first.id)}, but ${nameOf(genesisBlockId)} is configured.`)
}

/**
 * The node, whose requests wait until it has shown the configured chain and token; the check is repeated until then.
 * A mismatch is `Unavailable` too, with the error of `checkChain` as its cause: nothing that the node says is used.
 */
export function checkedNode(node: TronNode, expected: ExpectedChain): TronNode {
  let passing: Promise<void> | undefined
  const checked = (): Promise<void> =>
    (passing ??= checkChain(node, expected).catch((error: unknown) => {
      passing = undefined
      if (error instanceof Unavailable || !(error instanceof Error)) throw error
      throw new Unavailable('chain', error.message, { cause: error })
    }))
  return {
    ...node,
    request: (...asked) => checked().then(() => node.request(...asked)),
    requestOnce: (...asked) => checked().then(() => node.requestOnce(...asked)),
  }
}

const Contract = z.object({ contract_address: z.string().optional() })

async function checkToken(node: TronNode, { tokenContract, decimals }: ExpectedChain): Promise<void> {
  const contract = readAddress(tokenContract)
  const found = await node.request('head', 'getcontract', { value: toHexAddress(contract) }, Contract)
  if (found.contract_address === undefined) throw new Error(`There is no contract at ${tokenContract}.`)
  const actual = await readNumber(node, 'head', { contract, method: 'decimals()' })
  if (actual !== BigInt(decimals))
    throw new Error(`The token at ${tokenContract} has ${actual ?? 'no'} decimals, but ${decimals} are configured.`)
}

function nameOf(id: string): string {
  const [name = 'another chain'] = Object.entries(genesisBlockIds).find(([, of]) => of === id) ?? []
  return `${name} (first block ${id})`
}
