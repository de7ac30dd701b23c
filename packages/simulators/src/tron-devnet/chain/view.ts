import type { Block, Included } from './block.ts'
import type { State } from './state.ts'

/** The chain as it looks from one height: what is above it has not happened yet. */
export type View = {
  readonly head: Block
  block(number: number): Block | undefined
  /** The blocks from one number to another, both included, as far as there are any. */
  blocks(from: number, to: number): Block[]
  transaction(txid: string): Included | undefined
  /** A cell of the state after the head block. */
  read(key: string): bigint
}

/** What a chain is made of. */
export type ChainData = {
  readonly blocks: readonly Block[]
  readonly included: ReadonlyMap<string, Included>
  /** The state after the newest block. */
  readonly read: (key: string) => bigint
}

/** How far behind the newest block a view's state can be, when the solid one is no older. */
export const historyBlocks = 1_000

/** @param height  at least 0; above the newest block it means that one */
export function viewAt(data: ChainData, height: number): View {
  const head = data.blocks[Math.min(height, data.blocks.length - 1)]
  if (!head) throw new RangeError('There is no such height.')
  const block = (number: number): Block | undefined =>
    number > head.number ? undefined : data.blocks[number]
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
        if (!undo) throw new RangeError(`The state at block ${head.number} is forgotten.`)
        const value = undo.get(key)
        if (value !== undefined) return value
      }
      return data.read(key)
    },
  }
}

/** The chain as it is now, whatever becomes of it: a replica that hears of nothing more. */
export const frozenCopy = (data: ChainData, state: State): ChainData => ({
  blocks: [...data.blocks],
  included: new Map(data.included),
  read: state.frozen(),
})
