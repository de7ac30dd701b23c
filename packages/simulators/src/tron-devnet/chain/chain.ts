import { blockOf, type Block, type Included } from './block.ts'
import type { Entry } from './entry.ts'
import { execute, Invalid, type Tokens } from '../transaction/execute.ts'
import { labelledAddress, type Address } from '../account/address.ts'
import { createState, type State } from '../state.ts'
import type { TokenInfo } from '../token/token.ts'
import { decodeSigned, transactionOf, type Transaction } from '../transaction/transaction.ts'
import { historyBlocks, viewAt, type ChainData, type View } from './view.ts'

/** The chain. Every change is an entry, so that replaying the entries restores it. */
export type Chain = {
  /** Applies an entry. @throws RangeError if it is invalid, without any change */
  apply(entry: Entry): void
  readonly tokens: Tokens
  /** Pending transactions, oldest first. */
  readonly pending: ReadonlyMap<string, Transaction>
  readonly data: ChainData
  head(): Block
  /** Number of the newest solid block, which no fork replaces. */
  solid(): number
  /** The view at the newest block or at another height. */
  view(height?: number): View
}

type ChainState = {
  readonly state: State
  readonly blocks: Block[]
  readonly included: Map<string, Included>
  readonly pending: Map<string, Transaction>
  readonly tokens: Map<Address, TokenInfo>
  solid: number
  stalled: boolean
  /** The oldest block with an undo. */
  oldestUndo: number
  /** Number of replaced blocks, which makes two blocks of one height different. */
  forks: number
}

/** @param solidLag  distance of the solid block from the newest */
export function createChain(solidLag: number): Chain {
  const chainState: ChainState = {
    state: createState(),
    blocks: [],
    included: new Map(),
    pending: new Map(),
    tokens: new Map(),
    solid: 0,
    stalled: false,
    oldestUndo: 0,
    forks: 0,
  }
  const data: ChainData = { blocks: chainState.blocks, included: chainState.included, read: chainState.state.get }
  const solidify = (): void => {
    if (!chainState.stalled) chainState.solid = Math.max(chainState.solid, newest(chainState).number - solidLag)
  }
  return {
    apply(entry) {
      change(chainState, entry)
      if (chainState.blocks.length > 0) solidify()
    },
    tokens: chainState.tokens,
    pending: chainState.pending,
    data,
    head: () => newest(chainState),
    solid: () => chainState.solid,
    view: (height = Infinity) => viewAt(data, height),
  }
}

function newest({ blocks }: ChainState): Block {
  const block = blocks.at(-1)
  if (!block) throw new RangeError('The chain has no block.')
  return block
}

function change(chainState: ChainState, entry: Entry): void {
  switch (entry.type) {
    case 'began':
      push(chainState, blockOf(undefined, entry.at, 0, [genesis], chainState.state.takeUndo()))
      return
    case 'token':
      chainState.tokens.set(entry.token.contract, entry.token)
      return
    case 'overridden': {
      const { key, set, add = 0n } = entry
      const undos = chainState.blocks.flatMap(({ undo }) => undo ?? [])
      chainState.state.override(key, (value) => set ?? value + add, undos)
      return
    }
    case 'accepted': {
      const tx = decodeSigned(Buffer.from(entry.hex, 'hex'), entry.signatures, entry.script)
      chainState.pending.set(tx.txid, tx)
      return
    }
    case 'mined':
      mineBlock(chainState, entry.at, entry.txids)
      return
    case 'rewound':
      rewind(chainState, entry.depth, entry.drop)
      return
    case 'forgotten':
      for (const txid of entry.txids) chainState.pending.delete(txid)
      return
    case 'stalled':
      chainState.stalled = entry.stalled
  }
}

/** The first block of a real chain grants TRX to some accounts. Nodes have no receipts of these transactions. */
const genesis: Pick<Included, 'tx' | 'receipt'> = {
  tx: transactionOf({
    refBlockBytes: '',
    refBlockHash: '',
    expiration: 0,
    timestamp: 0,
    feeLimitSun: 0,
    memo: '',
    permissionId: 0,
    call: { type: 'TransferContract', owner: `41${'0'.repeat(40)}`, to: labelledAddress('genesis'), amountSun: 1e12 },
  }),
  receipt: {
    result: null,
    answer: '',
    message: '',
    logs: [],
    feeSun: 0,
    netUsage: 0,
    netFeeSun: 0,
    energyUsage: 0,
    energyFeeSun: 0,
    energyTotal: 0,
  },
}

function push(chainState: ChainState, block: Block): void {
  chainState.blocks.push(block)
  for (const included of block.included) chainState.included.set(included.tx.txid, included)
  // Keep the undo data back to the solid block, for forks and solid views.
  const last = Math.min(chainState.solid, block.number - historyBlocks)
  for (; chainState.oldestUndo <= last; chainState.oldestUndo++) {
    const old = chainState.blocks[chainState.oldestUndo]
    if (old) old.undo = null
  }
}

function mineBlock(chainState: ChainState, at: number, txids: readonly string[]): void {
  const parent = newest(chainState)
  const ran: Pick<Included, 'tx' | 'receipt'>[] = []
  for (const txid of txids) {
    const tx = chainState.pending.get(txid)
    if (!tx) continue
    chainState.pending.delete(txid)
    // Nodes compare with the parent's time, so a block may be later than the expiration.
    if (tx.raw.expiration <= parent.timestamp) continue
    const receipt = tryExecute(chainState, tx, at)
    if (receipt) ran.push({ tx, receipt })
  }
  push(chainState, blockOf(parent, at, chainState.forks, ran, chainState.state.takeUndo()))
}

/** @returns null if the transaction has become invalid; nodes drop it silently */
function tryExecute({ state, tokens }: ChainState, tx: Transaction, at: number): Included['receipt'] | null {
  try {
    return execute(state, tokens, tx, at)
  } catch (error) {
    if (error instanceof Invalid) return null
    throw error
  }
}

function rewind(chainState: ChainState, depth: number, drop: 'all' | readonly string[]): void {
  if (depth > newest(chainState).number) throw new RangeError('Nothing is before the genesis block.')
  const orphans = chainState.blocks.splice(chainState.blocks.length - depth)
  for (const { undo } of orphans.toReversed()) if (undo) chainState.state.undo(undo)
  const waiting = [...chainState.pending]
  chainState.pending.clear()
  for (const { tx } of orphans.flatMap(({ included }) => included)) {
    chainState.included.delete(tx.txid)
    if (drop !== 'all' && !drop.includes(tx.txid)) chainState.pending.set(tx.txid, tx)
  }
  for (const [txid, tx] of waiting) chainState.pending.set(txid, tx)
  chainState.forks += depth
}
