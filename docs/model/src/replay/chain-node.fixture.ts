import { accountOf, hashOf } from '@quipu/contracts'
import type { ChainReader, TopUpAddress } from '@quipu/core'
import type { ChainBlock, ChainView, TokenTransfer } from '@quipu/core/adapter'
import { start } from './stores.fixture.ts'

/** A block of `deposit.qnt`. */
export type Block = {
  readonly number: number
  readonly id: number
  readonly parent: number
  readonly transfers: readonly string[]
}

/** The amount of each transfer. */
export const amount = 25_000_000n
/** As in the model. */
const lastBlocks: Readonly<Record<string, number>> = { a: 3, b: 4 }

/** The instant of a block. Blocks are three seconds apart. */
const instantOf = (number: number): Date => new Date(start.getTime() + number * 3_000)
export const blockId = (id: number): string => hashOf(`block ${id}`)

/** A transfer of the model. */
export const transferOf = (name: string, to: string): TokenTransfer => ({
  ...{ txHash: hashOf(`transfer ${name}`), index: 0, from: accountOf('sender'), to },
  ...{ value: amount, expiresAt: instantOf(lastBlocks[name] ?? 0) },
})

/** A node that has these blocks. */
export function nodeWith(blocks: readonly Block[], { account }: TopUpAddress): ChainReader {
  const real = blocks.map(({ number, id, parent, transfers }): ChainBlock => ({
    ...{ number, id: blockId(id), parentId: blockId(parent), at: instantOf(number) },
    transactions: transfers.map((name) => transferOf(name, account).txHash),
    transfers: transfers.map((name) => transferOf(name, account)),
    unknownTokenRecipients: [],
  }))
  const find = (_: ChainView, number: number): Promise<ChainBlock | undefined> =>
    Promise.resolve(real.find((block) => block.number === number))
  return {
    chain: 'tron',
    ...{ block: find, ref: find },
    head: async () => {
      const newest = real.at(-1)
      if (!newest) throw new Error('the chain has a first block')
      return newest
    },
    tokenState: async () => 'normal',
    isBlocked: async () => false,
  }
}
