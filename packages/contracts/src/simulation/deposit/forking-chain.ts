import type { ChainAccount } from '@quipu/core/adapter'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { serviceAccount } from '../../fixtures/deposit/deposit-harness.ts'
import { type Move, scriptedChain, type ScriptedChain, type Tx } from '../../fixtures/deposit/scripted-chain.ts'
import type { EventLoop } from '../event-loop.ts'
import type { PaymentScenario } from './scenario.ts'

/** A chain that adds a block every three seconds, and forks. */
export type ForkingChain = ScriptedChain & {
  /** Queues a payment for one of the next blocks. */
  send(payment: PaymentScenario): void
  /** Queues a transaction for one of the next blocks, unless it waits already or a block has it. */
  submit(tx: Tx): void
  /** Stops forking: from now on every block is solid at once. */
  stopForking(): void
  /** Stops adding blocks. */
  stop(): void
}

const blockMs = 3_000

/**
 * Has two blocks, both solid; the next comes in three seconds.
 *
 * @param forks the probability that a new block forks, down to the solid block at most
 * @param accounts the tenants’ top-up accounts, by their index in scenarios
 */
export function forkingChain(loop: EventLoop, forks: number, accounts: readonly ChainAccount[]): ForkingChain {
  const chain = scriptedChain()
  let waiting: Tx[] = []
  let [isForking, isStopped] = [true, false]

  function grow(): void {
    const at = (chain.blocks.at(-1)?.at.getTime() ?? 0) + blockMs
    const fits = (tx: Tx): boolean => tx.expiresAt.getTime() >= at && (!isForking || loop.chance(0.6))
    const taken = shuffled(loop, waiting.filter(fits))
    waiting = waiting.filter((tx) => !taken.includes(tx))
    chain.mine(...taken)
  }
  function forkChain(): void {
    const depth = Math.ceil(loop.random() * (chain.blocks.length - chain.solid))
    for (const tx of chain.fork(depth)) {
      if (loop.chance(0.6)) waiting.push(tx)
      else if (tx.isFailing === undefined && loop.chance(0.5)) waiting.push(altered(loop, tx, accounts))
    }
    const regrown = loop.chance(0.7) ? depth : 0
    for (let n = 0; n < regrown; n++) grow()
  }
  function tick(): void {
    if (isStopped) return
    if (isForking && chain.blocks.length > chain.solid && loop.chance(forks)) forkChain()
    grow()
    const lag = isForking ? 3 + Math.floor(loop.random() * 6) : 0
    if (!isForking || loop.chance(0.8)) {
      chain.solidify(Math.max(chain.solid, chain.blocks.length - lag))
    }
    loop.after(blockMs, tick)
  }
  chain.mineEmpty(2)
  chain.solidify()
  loop.after(blockMs, tick)
  return Object.assign(chain, {
    send: (payment: PaymentScenario) => void waiting.push(transactionOf(loop, chain, payment, accounts)),
    submit: (tx: Tx) => {
      const isKnown =
        waiting.some(({ hash }) => hash === tx.hash) ||
        chain.blocks.some(({ transactions }) => transactions.includes(tx.hash))
      if (!isKnown) waiting.push(tx)
    },
    stopForking: () => {
      isForking = false
    },
    stop: () => {
      isStopped = true
    },
  })
}

function transactionOf(
  loop: EventLoop,
  chain: ScriptedChain,
  { tenant, kind }: PaymentScenario,
  accounts: readonly ChainAccount[],
): Tx {
  const to = accounts[tenant] ?? accountOf('other')
  const value = BigInt(1_000_000 + Math.floor(loop.random() * 1_000_000))
  switch (kind) {
    case 'normal':
      return chain.pay(to, value)
    case 'dust':
      return chain.pay(to, 1n)
    case 'huge':
      return chain.pay(to, 2n ** 256n - 1n)
    case 'nothing':
      return chain.pay(to, 0n)
    case 'service':
      return chain.pay(to, value, { from: serviceAccount })
    case 'failed':
      return chain.pay(to, value, { failed: true })
    case 'several': {
      const from = accountOf('multisender')
      const moves = accounts.map((account) => ({ from, to: account, value }))
      return chain.pay(to, value, { moves: [{ from, to: accountOf('other'), value }, ...moves] })
    }
  }
}

/** The same transaction on another branch, where it has another result. */
function altered(loop: EventLoop, tx: Tx, accounts: readonly ChainAccount[]): Tx {
  const change = (over: (move: Move) => Partial<Move>): Tx => ({
    ...tx,
    moves: tx.moves.map((move) => ({ ...move, ...over(move) })),
  })
  return loop.pick<() => Tx>([
    () => ({ ...tx, failed: !tx.failed }),
    () => ({ ...tx, moves: [] }),
    () => ({ ...tx, moves: tx.moves.toReversed() }),
    () => change(() => ({ to: loop.pick(accounts) })),
    () => change(({ value }) => ({ value: value / 2n })),
  ])()
}

function shuffled<T>(loop: EventLoop, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: loop.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
