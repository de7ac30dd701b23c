import {
  type Account,
  type Block,
  type BlockRef,
  type ChainReader,
  type TokenState,
  Unavailable,
  type View,
} from '@quipu/core'
import { someInstant } from '../given.ts'
import { accountOf, hashOf } from './addresses.ts'

export type Move = { readonly from: Account; readonly to: Account; readonly value: bigint }

/** A transaction: what its logs say when it succeeds. */
export type Tx = {
  readonly hash: string
  readonly moves: readonly Move[]
  readonly strangers: readonly Account[]
  readonly failed: boolean
  readonly expiresAt: Date
}

/** A chain in the test’s hands: its blocks, which of them are solid, and how its node answers. */
export type ScriptedChain = {
  readonly reader: ChainReader
  /** From number 1 up to the newest. */
  readonly blocks: readonly Block[]
  readonly solid: number
  /** Adds a block of these transactions, three seconds after the last. */
  mine(...txs: readonly Tx[]): Block
  /** Adds empty blocks. */
  mineEmpty(count: number): void
  /** Takes the newest blocks back. @returns their transactions */
  fork(depth: number): readonly Tx[]
  /** Makes everything solid up to this block, or up to the newest. */
  solidify(number?: number): void
  /** A transaction that sends this much to an account. */
  pay(to: Account, value: bigint, over?: Partial<Tx> & { readonly from?: Account }): Tx
  /** What the node says of senders and of the token. */
  readonly blocked: Set<Account>
  tokenState: TokenState
  /** Runs before each answer; what it throws is the answer. */
  asked: (question: string, view: View, number: number) => Promise<void> | void
  /** What the node shows instead of a block. */
  shown: (view: View, block: Block) => Block | undefined
}

/** How long a transaction may wait for a block, in seconds. */
export const lifeSeconds = 60

export function scriptedChain(name = 'chain'): ScriptedChain {
  const blocks: Block[] = []
  const contents = new Map<string, readonly Tx[]>()
  let [solid, made] = [0, 0]
  const timeOf = (number: number) => new Date(someInstant.getTime() + number * 3_000)
  const find = async (view: View, number: number): Promise<Block | undefined> => {
    await chain.asked('block', view, number)
    const block =
      number <= (view === 'solid' ? solid : blocks.length) ? blocks[number - 1] : undefined
    return block && chain.shown(view, block)
  }
  const reader: ChainReader = {
    chain: 'tron',
    head: async (view) => {
      await chain.asked('head', view, 0)
      const block = blocks[(view === 'solid' ? solid : blocks.length) - 1]
      if (!block) throw new Unavailable('chain', 'no block yet')
      return refOf(block)
    },
    block: find,
    ref: async (view, number) => {
      const block = await find(view, number)
      return block && refOf(block)
    },
    tokenState: async () => {
      await chain.asked('tokenState', 'solid', 0)
      return chain.tokenState
    },
    isBlocked: async (account) => {
      await chain.asked('isBlocked', 'solid', 0)
      return chain.blocked.has(account)
    },
  }
  const chain: ScriptedChain = {
    reader,
    blocks,
    get solid() {
      return solid
    },
    mine: (...txs) => {
      const number = blocks.length + 1
      const id = hashOf(`${name} ${number} ${++made}`)
      const parentId = blocks.at(-1)?.id ?? hashOf(`${name} genesis`)
      const block = blockOf({ number, id, at: timeOf(number) }, parentId, txs)
      blocks.push(block)
      contents.set(id, txs)
      return block
    },
    mineEmpty: (count) => {
      for (let n = 0; n < count; n++) chain.mine()
    },
    fork: (depth) => {
      if (blocks.length - depth < solid) throw new Error('what is solid is final')
      return blocks.splice(blocks.length - depth).flatMap(({ id }) => contents.get(id) ?? [])
    },
    solidify: (number = blocks.length) => {
      if (number < solid) throw new Error('what is solid is final')
      solid = number
    },
    pay: (to, value, { from = accountOf('somebody'), ...over } = {}) => ({
      hash: hashOf(`${name} transaction ${++made}`),
      moves: [{ from, to, value }],
      strangers: [],
      failed: false,
      expiresAt: new Date(timeOf(blocks.length).getTime() + lifeSeconds * 1_000),
      ...over,
    }),
    blocked: new Set(),
    tokenState: 'normal',
    asked: () => undefined,
    shown: (_, block) => block,
  }
  return chain
}

const refOf = ({ number, id, at }: BlockRef): BlockRef => ({ number, id, at })

const blockOf = (ref: BlockRef, parentId: string, txs: readonly Tx[]): Block => ({
  ...ref,
  parentId,
  transactions: txs.map(({ hash }) => hash),
  transfers: txs
    .filter(({ failed }) => !failed)
    .flatMap(({ hash: txHash, moves, expiresAt }) =>
      moves.map((move, index) => ({ txHash, index, expiresAt, ...move })),
    ),
  strangers: txs.flatMap(({ failed, strangers }) => (failed ? [] : strangers)),
})
