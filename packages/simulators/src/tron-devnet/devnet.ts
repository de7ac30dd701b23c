import { mkdir } from 'node:fs/promises'
import { createTimers, type Timers } from '../timers.ts'
import { madeAddress } from './account/address.ts'
import { createChain, type Chain } from './chain/chain.ts'
import type { Entry } from './chain/entry.ts'
import { memoryJournal, openJournal, type Journal } from './chain/journal.ts'
import type { TokenInfo } from './token/token.ts'

export type DevnetOptions = {
  /**
   * How long a block takes in ms; `manual` (by default) waits for `mine`, and lets each block be
   * 3 s younger than the one before, or as young as the clock if that is younger.
   */
  readonly blockMs?: number | 'manual' | undefined
  /** How many blocks the solid one is behind the newest; 18 by default, as with 27 witnesses. */
  readonly solidLag?: number | undefined
  /** A clock that the caller steps; see `tick`. Without it the devnet runs by real time. */
  readonly now?: (() => Date) | undefined
  /** A folder that outlives the process. Without it everything is in memory. */
  readonly storage?: string | undefined
}

/** The devnet's parts, put together; every node and the admin port work on this. */
export type Devnet = {
  readonly chain: Chain
  readonly journal: Journal
  readonly timers: Timers
  /** Enters a fact into the chain, and into the journal. @throws RangeError when it cannot be */
  enter(entry: Entry): void
  /** Puts a block on the newest one, with these transactions: all that wait, by default. */
  seal(txids?: readonly string[]): void
  /** Runs what is due by a stepped clock: blocks, and requests that were delayed. */
  tick(): void
  stop(): Promise<void>
}

/** The token that the devnet begins with: the address is the same on every devnet. */
export const usdt: TokenInfo = {
  contract: madeAddress('USDT'),
  name: 'Tether USD',
  symbol: 'USDT',
  decimals: 6,
  owner: madeAddress('USDT owner'),
}

const slotMs = 3_000

export async function openDevnet(options: DevnetOptions): Promise<Devnet> {
  const { storage, solidLag = 18, blockMs = 'manual' } = options
  const timers = createTimers(options.now)
  const chain = createChain(solidLag)
  if (storage !== undefined) await mkdir(storage, { recursive: true })
  const { past, journal } =
    storage === undefined ? { past: [], journal: memoryJournal } : await openJournal(storage)
  for (const entry of past) chain.enter(entry)

  const enter = (entry: Entry): void => {
    chain.enter(entry)
    journal.append(entry)
  }
  const sealAt = (at: number, txids: readonly string[] = [...chain.pending.keys()]): void =>
    enter({ type: 'sealed', at, txids })
  const step = blockMs === 'manual' ? slotMs : 1
  const seal = (txids?: readonly string[]): void =>
    sealAt(Math.max(chain.head().timestamp + step, timers.now()), txids)

  if (past.length === 0) begin(enter, seal, timers.now())
  const ticks = options.now && typeof blockMs === 'number' ? blockMs : Infinity
  if (!options.now && typeof blockMs === 'number') sealEvery(timers, blockMs, seal)
  return {
    chain,
    journal,
    timers,
    enter,
    seal,
    tick() {
      while (chain.head().timestamp + ticks <= timers.now()) sealAt(chain.head().timestamp + ticks)
      timers.tick()
    },
    async stop() {
      timers.stop()
      await journal.close()
    },
  }
}

/** Two blocks: clients cannot refer to the genesis block, whose number proto3 leaves out. */
function begin(enter: Devnet['enter'], seal: Devnet['seal'], now: number): void {
  enter({ type: 'began', at: now - slotMs })
  enter({ type: 'token', token: usdt })
  seal()
}

function sealEvery(timers: Timers, ms: number, seal: Devnet['seal']): void {
  timers.after(ms, () => {
    seal()
    sealEvery(timers, ms, seal)
  })
}
