import { openJournal, type Journal } from '../journal.ts'
import { createTimers, type Timers } from '../timers.ts'
import { labelledAddress } from './account/address.ts'
import { createChain, type Chain } from './chain/chain.ts'
import { EntryJson, type Entry } from './chain/entry.ts'
import type { TokenInfo } from './token/token.ts'

/** A chain, without where its nodes listen. */
export type DevnetOptions = {
  /**
   * Block time in ms; `manual` (default) mines only on `mine`. A manual block is 3 s later than its
   * parent, or at the time of the clock if that is later.
   */
  readonly blockMs?: number | 'manual' | undefined
  /** Distance of the solid block from the newest; 18 by default, as with 27 witnesses. */
  readonly solidLag?: number | undefined
  /** A stepped clock; see `tick`. Real time by default. */
  readonly now?: (() => Date) | undefined
  /** Folder of the stored chain. In memory by default. */
  readonly storage?: string | undefined
}

/** The devnet's state and parts, shared by all nodes and the admin port. */
export type Devnet = {
  readonly chain: Chain
  readonly journal: Pick<Journal<Entry>, 'append' | 'flushed'>
  readonly timers: Timers
  /** Applies an entry and appends it to the journal. @throws RangeError if it is invalid */
  record(entry: Entry): void
  /** Mines a block with these transactions; by default all pending ones. */
  mineBlock(txids?: readonly string[]): void
  /** Mines the blocks and answers the delayed requests that are due by a stepped clock. */
  tick(): void
  stop(): Promise<void>
}

/** The devnet's first token. Its address is the same on every devnet. */
export const usdt: TokenInfo = {
  contract: labelledAddress('USDT'),
  name: 'Tether USD',
  symbol: 'USDT',
  decimals: 6,
  owner: labelledAddress('USDT owner'),
}

const slotMs = 3_000

export async function openDevnet(options: DevnetOptions): Promise<Devnet> {
  const { storage, solidLag = 18, blockMs = 'manual' } = options
  const timers = createTimers(options.now)
  const chain = createChain(solidLag)
  const { past, start } = await openJournal(storage, 'tron-devnet.jsonl', EntryJson)
  const journal = await start(past)
  for (const entry of past) chain.apply(entry)

  const enter = (entry: Entry): void => {
    chain.apply(entry)
    journal.append(entry)
  }
  const mineAt = (at: number, txids: readonly string[] = [...chain.pending.keys()]): void =>
    enter({ type: 'mined', at, txids })
  const step = blockMs === 'manual' ? slotMs : 1
  const mineBlock = (txids?: readonly string[]): void =>
    mineAt(Math.max(chain.head().timestamp + step, timers.now()), txids)

  if (past.length === 0) startChain(enter, mineBlock, timers.now())
  const intervalMs = options.now && typeof blockMs === 'number' ? blockMs : Infinity
  if (!options.now && typeof blockMs === 'number') mineEvery(timers, blockMs, mineBlock)
  return {
    chain,
    journal,
    timers,
    record: enter,
    mineBlock: mineBlock,
    tick() {
      while (chain.head().timestamp + intervalMs <= timers.now()) mineAt(chain.head().timestamp + intervalMs)
      timers.tick()
    },
    async stop() {
      timers.stop()
      await journal.close()
    },
  }
}

/** Mines a second block, because clients cannot reference block 0, which proto3 omits. */
function startChain(enter: Devnet['record'], mineBlock: Devnet['mineBlock'], now: number): void {
  enter({ type: 'began', at: now - slotMs })
  enter({ type: 'token', token: usdt })
  mineBlock()
}

function mineEvery(timers: Timers, ms: number, mineBlock: Devnet['mineBlock']): void {
  timers.after(ms, () => {
    mineBlock()
    mineEvery(timers, ms, mineBlock)
  })
}
