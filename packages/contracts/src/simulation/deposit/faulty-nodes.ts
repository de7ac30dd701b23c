import { type ChainReader, Unavailable } from '@quipu/core'
import type { ChainAccount, ChainBlock, BlockRef, ChainView } from '@quipu/core/adapter'
import { accountOf, hashOf } from '../../fixtures/deposit/addresses.ts'
import type { ScriptedChain } from '../../fixtures/deposit/scripted-chain.ts'
import type { EventLoop } from '../event-loop.ts'
import type { Machine } from '../machine.ts'

/** The nodes between the workers and the chain, with their faults. */
export type Nodes = {
  faults: number
  forgeries: number
  staleness: number
  /** Transactions for which a node has shown a wrong expiry: their deposits can be dropped and then contradicted. */
  readonly wrongExpiries: Set<string>
  /** The number of the newest block of the node that answers. */
  newest(view: ChainView): number
  /** The result of a node's read. @throws Unavailable when it does not answer */
  answer<T>(read: () => Promise<T>): Promise<T>
  /** The chain as this machine reads it: each answer may come from another node. */
  from(machine: Machine): ChainReader
}

type NodeFaults = Pick<Nodes, 'faults' | 'forgeries' | 'staleness'>

/** Probabilities of faults from 0 to 1, and staleness in blocks; a caller may change them in the result. @param accounts where forged transfers go */
export function chainNodes(
  loop: EventLoop,
  chain: ScriptedChain,
  accounts: readonly ChainAccount[],
  nodeFaults: NodeFaults,
): Nodes {
  const nodes: Nodes = { ...nodeFaults, wrongExpiries: new Set(), newest, answer, from }

  /** The newest block of the answering node. A stale node has fewer blocks, but no other ones. */
  function newest(view: ChainView): number {
    const number = view === 'head' ? chain.blocks.length : chain.solid
    return Math.max(1, number - Math.floor(loop.random() * (nodes.staleness + 1)))
  }
  const get = async (view: ChainView, number: number): Promise<ChainBlock | undefined> => {
    const block = number <= newest(view) ? chain.blocks[number - 1] : undefined
    if (block === undefined || view === 'solid' || !loop.chance(nodes.forgeries)) return block
    return forge(loop, nodes, block, accounts)
  }
  async function answer<T>(read: () => Promise<T>): Promise<T> {
    if (loop.chance(nodes.faults)) throw new Unavailable('chain', 'too many requests')
    return read()
  }
  const head = async (view: ChainView): Promise<BlockRef> => {
    const block = chain.blocks[newest(view) - 1]
    if (block === undefined) throw new Unavailable('chain', 'no block')
    return refOf(block)
  }
  const ref = async (view: ChainView, number: number): Promise<BlockRef | undefined> => {
    const block = await get(view, number)
    return block && refOf(block)
  }
  function from(machine: Machine): ChainReader {
    return {
      chain: 'tron',
      head: machine.remote((view) => answer(() => head(view))),
      block: machine.remote((view, number) => answer(() => get(view, number))),
      ref: machine.remote((view, number) => answer(() => ref(view, number))),
      blockOf: machine.remote((txHash) =>
        answer(
          async () =>
            chain.blocks.slice(0, newest('solid')).find(({ transactions }) => transactions.includes(txHash))?.number,
        ),
      ),
      tokenState: machine.remote(() => answer(async () => 'normal' as const)),
      isBlocked: machine.remote(() => answer(async () => false)),
    }
  }
  return nodes
}

const refOf = ({ number, id, at }: BlockRef): BlockRef => ({ number, id, at })

/** A forged copy of a head block. */
function forge(loop: EventLoop, nodes: Nodes, block: ChainBlock, accounts: readonly ChainAccount[]): ChainBlock {
  const made = hashOf(`lie ${loop.random()}`)
  const transfers = (change: (each: ChainBlock['transfers'][number]) => object): ChainBlock => ({
    ...block,
    transfers: block.transfers.map((each) => ({ ...each, ...change(each) })),
  })
  const invented = {
    txHash: made,
    index: 0,
    from: accountOf('liar'),
    to: loop.pick(accounts),
    value: 1_500_000n,
    expiresAt: new Date(block.at.getTime() + loop.random() * 60_000),
  }
  const misstated = (): ChainBlock =>
    transfers(({ txHash }) => {
      nodes.wrongExpiries.add(txHash)
      return { expiresAt: block.at }
    })
  return loop.pick<() => ChainBlock>([
    misstated,
    misstated,
    misstated,
    () => ({ ...block, transactions: [...block.transactions, made], transfers: [...block.transfers, invented] }),
    () => ({ ...block, transactions: [], transfers: [] }),
    () => ({ ...block, id: made }),
    () => ({ ...block, parentId: made }),
    () => transfers(() => ({ to: loop.pick(accounts) })),
    () => transfers(() => ({ from: accountOf('liar'), value: 2n ** 256n - 1n })),
    () => transfers(({ index }) => ({ index: index + 1 })),
  ])()
}
