import { Unavailable } from '@quipu/core'
import type { BlockRef } from '@quipu/core/adapter'
import type { TronNode } from '../node/tron-node.ts'
import { HeaderOrEmpty } from './block-answers.ts'

/** The lag between replicas behind one URL that adapters assume at most, in blocks: one minute. */
export const replicaLagMax = 20

/** The block this many blocks below the solidity node's newest one. */
export async function solidBlockAgo(node: TronNode, blocks: number): Promise<BlockRef> {
  const header = async (which: object) => {
    const found = await node.request('solid', 'getblock', { ...which, detail: false }, HeaderOrEmpty)
    if (!found) throw new Unavailable('chain', 'the node has no solid block')
    return found
  }
  const newest = await header({})
  const number = Math.max(0, newest.number - blocks)
  const { id, at, ...found } = await header({ id_or_num: String(number) })
  if (found.number !== number) throw new Unavailable('chain', `the node answered block ${found.number} for ${number}`)
  return { number, id, at }
}
