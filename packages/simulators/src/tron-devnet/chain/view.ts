import type { Block, Included } from './block.ts'

/** The chain up to one height. */
export type View = {
  readonly head: Block
  block(number: number): Block | undefined
  /** The existing blocks between two numbers, both included. */
  blocks(from: number, to: number): Block[]
  transaction(txid: string): Included | undefined
  /** A cell of the state after the head block. */
  read(key: string): bigint
}

/** Blocks, transactions and state of a chain. */
export type ChainData = {
  readonly blocks: readonly Block[]
  readonly included: ReadonlyMap<string, Included>
  /** The state after the newest block. */
  readonly read: (key: string) => bigint
}

/** Number of blocks with undo data, if the solid block is not older. */
export const historyBlocks = 1_000

/** @param height  at least 0; limited to the newest block */
export function viewAt(data: ChainData, height: number): View {
  const head = data.blocks[Math.min(height, data.blocks.length - 1)]
  if (!head) throw new RangeError('The chain is empty.')
  const block = (number: number): Block | undefined => (number > head.number ? undefined : data.blocks[number])
  return {
    head,
    block,
    blocks: (from, to) => data.blocks.slice(Math.max(0, from), Math.min(to, head.number) + 1),
    transaction(txid) {
      const found = data.included.get(txid)
      return found && found.block.number <= head.number ? found : undefined
    },
    read(key) {
      for (let above = head.number + 1; above < data.blocks.length; above++) {
        const undo = data.blocks[above]?.undo
        if (!undo) throw new RangeError(`The state at block ${head.number} is no longer stored.`)
        const value = undo.get(key)
        if (value !== undefined) return value
      }
      return data.read(key)
    },
  }
}
