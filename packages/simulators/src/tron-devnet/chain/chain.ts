import { blockOf, type Block, type Included } from './block.ts'
import type { Entry } from './entry.ts'
import { execute, Invalid, type Tokens } from '../transaction/execute.ts'
import type { Address } from '../account/address.ts'
import { createState, type State } from './state.ts'
import type { TokenInfo } from '../token/token.ts'
import { decodeSigned, type Transaction } from '../transaction/transaction.ts'
import { frozenCopy, historyBlocks, viewAt, type ChainData, type View } from './view.ts'

/** The chain. Everything that changes it is an entry, so that it can be made again from them. */
export type Chain = {
  /** Enters a fact. @throws RangeError when it cannot be; nothing is changed then */
  enter(entry: Entry): void
  readonly tokens: Tokens
  /** Transactions that wait for a block, oldest first. */
  readonly pending: ReadonlyMap<string, Transaction>
  readonly data: ChainData
  head(): Block
  /** The number of the newest block that no fork can take back. */
  solid(): number
  /** The view from the newest block, or from another height. */
  view(height?: number): View
  /** A view's data that no later entry changes. */
  frozen(): ChainData
}

type Books = {
  readonly state: State
  readonly blocks: Block[]
  readonly included: Map<string, Included>
  readonly pending: Map<string, Transaction>
  readonly tokens: Map<Address, TokenInfo>
  solid: number
  stalled: boolean
  /** The first block whose state before it can still be looked back to. */
  remembered: number
  /** How many blocks were ever taken back: two blocks of one height always differ. */
  forks: number
}

/** @param solidLag  how many blocks the solid one is behind the newest */
export function createChain(solidLag: number): Chain {
  const books: Books = {
    state: createState(),
    blocks: [],
    included: new Map(),
    pending: new Map(),
    tokens: new Map(),
    solid: 0,
    stalled: false,
    remembered: 0,
    forks: 0,
  }
  const data: ChainData = {
    blocks: books.blocks,
    included: books.included,
    read: books.state.get,
  }
  const solidify = (): void => {
    if (!books.stalled) books.solid = Math.max(books.solid, newest(books).number - solidLag)
  }
  return {
    enter(entry) {
      change(books, entry)
      if (books.blocks.length > 0) solidify()
    },
    tokens: books.tokens,
    pending: books.pending,
    data,
    head: () => newest(books),
    solid: () => books.solid,
    view: (height = Infinity) => viewAt(data, height),
    frozen: () => frozenCopy(data, books.state),
  }
}

function newest({ blocks }: Books): Block {
  const block = blocks.at(-1)
  if (!block) throw new RangeError('The chain has not begun.')
  return block
}

function change(books: Books, entry: Entry): void {
  switch (entry.type) {
    case 'began':
      push(books, blockOf(undefined, entry.at, 0, [], books.state.seal()))
      return
    case 'token':
      books.tokens.set(entry.token.contract, entry.token)
      return
    case 'assumed': {
      const { key, set, add = 0n } = entry
      const undos = books.blocks.flatMap(({ undo }) => undo ?? [])
      books.state.assume(key, (value) => set ?? value + add, undos)
      return
    }
    case 'accepted': {
      const tx = decodeSigned(Buffer.from(entry.hex, 'hex'), entry.signatures, entry.script)
      books.pending.set(tx.txid, tx)
      return
    }
    case 'sealed':
      seal(books, entry.at, entry.txids)
      return
    case 'rewound':
      rewind(books, entry.depth, entry.drop)
      return
    case 'forgotten':
      for (const txid of entry.txids) books.pending.delete(txid)
      return
    case 'stalled':
      books.stalled = entry.stalled
  }
}

function push(books: Books, block: Block): void {
  books.blocks.push(block)
  for (const included of block.included) books.included.set(included.tx.txid, included)
  // Forks and views of the solid state reach back to the solid block, however old it is.
  const last = Math.min(books.solid, block.number - historyBlocks)
  for (; books.remembered <= last; books.remembered++) {
    const old = books.blocks[books.remembered]
    if (old) old.undo = null
  }
}

function seal(books: Books, at: number, txids: readonly string[]): void {
  const parent = newest(books)
  const ran: Pick<Included, 'tx' | 'receipt'>[] = []
  for (const txid of txids) {
    const tx = books.pending.get(txid)
    if (!tx) continue
    books.pending.delete(txid)
    // By the parent's time, as a node does: a block may be younger than what it holds is old.
    if (tx.raw.expiration <= parent.timestamp) continue
    const receipt = tryExecute(books, tx, at)
    if (receipt) ran.push({ tx, receipt })
  }
  push(books, blockOf(parent, at, books.forks, ran, books.state.seal()))
}

/** Null when the transaction became invalid while it waited: nodes drop it without a word. */
function tryExecute(
  { state, tokens }: Books,
  tx: Transaction,
  at: number,
): Included['receipt'] | null {
  try {
    return execute(state, tokens, tx, at)
  } catch (error) {
    if (error instanceof Invalid) return null
    throw error
  }
}

function rewind(books: Books, depth: number, drop: 'all' | readonly string[]): void {
  if (depth > newest(books).number) throw new RangeError('Nothing is before the genesis block.')
  const orphans = books.blocks.splice(books.blocks.length - depth)
  for (const { undo } of orphans.toReversed()) if (undo) books.state.undo(undo)
  const waiting = [...books.pending]
  books.pending.clear()
  for (const { tx } of orphans.flatMap(({ included }) => included)) {
    books.included.delete(tx.txid)
    if (drop !== 'all' && !drop.includes(tx.txid)) books.pending.set(tx.txid, tx)
  }
  for (const [txid, tx] of waiting) books.pending.set(txid, tx)
  books.forks += depth
}
