import {
  chainNodes,
  type EventLoop,
  type ForkingChain,
  forkingChain,
  type Machine,
  type Nodes,
} from '@quipu/contracts/simulation'
import type { Broadcaster, ChainReader, TransferSigner } from '@quipu/core'
import { type ChainAccount, sha256, type TransferOrder } from '@quipu/core/adapter'
import type { BalanceReader, SweepChain } from '@quipu/core/operator'
import type { Conditions } from '../scenario/scenario.ts'

/** The chain with its nodes, and the transfers that the faucet has signed. */
export type SimulatedChain = ForkingChain & {
  readonly nodes: Nodes
  /** The signed transfers, by transaction. */
  readonly signed: Map<string, TransferOrder>
  /** Every transaction that a node has accepted. */
  readonly broadcast: Set<string>
  /** While it is set no node answers. */
  isDown: boolean
  from(machine: Machine): ChainLinks
}

/** The chain as one process calls it. */
export type ChainLinks = {
  readonly reader: ChainReader
  readonly broadcaster: Broadcaster
  readonly balances: BalanceReader
  readonly sweepChain: SweepChain
}

export const faucetAccount: ChainAccount = sha256('faucet').slice(0, 40)

export function simulatedChain(
  loop: EventLoop,
  conditions: Conditions,
  accounts: readonly ChainAccount[],
): SimulatedChain {
  const forking = forkingChain(loop, conditions, accounts)
  const { nodeFaults, forgeries, staleness } = conditions
  const faults = { faults: nodeFaults, forgeries, staleness, isSolidFinal: true }
  const nodes = chainNodes(loop, forking, accounts, faults)
  const chain: SimulatedChain = Object.assign(forking, {
    nodes,
    signed: new Map<string, TransferOrder>(),
    broadcast: new Set<string>(),
    isDown: false,
    from: (machine: Machine): ChainLinks => ({
      reader: nodes.from(machine),
      broadcaster: broadcasterOf(chain, machine),
      balances: { tokenBalances: machine.remote(async (asked) => solidBalances(chain, asked)) },
      sweepChain: noSweeps(chain, machine),
    }),
  })
  return chain
}

/** Signs with the faucet's key. The hash covers the whole order. */
export const faucetSigner = (chain: Pick<SimulatedChain, 'signed'>): TransferSigner => ({
  account: faucetAccount,
  sign: async (order) => {
    const { to, amount, reference, at, expiresAt } = order
    const text = [to, amount.minor, reference.id, at.getTime(), expiresAt.getTime()].join(' ')
    const txHash = sha256(text)
    chain.signed.set(txHash, order)
    return { txHash, bytes: new TextEncoder().encode(text), expiresAt }
  },
})

function broadcasterOf(chain: SimulatedChain, machine: Machine): Broadcaster {
  return {
    prepare: machine.remote(async () => 27_000_000n),
    broadcast: machine.remote(async ({ txHash, expiresAt }) => {
      const order = chain.signed.get(txHash)
      if (order === undefined) return 'stopped'
      if (chain.broadcast.has(txHash)) return 'accepted'
      chain.broadcast.add(txHash)
      const moves = [{ from: faucetAccount, to: order.to, value: order.amount.minor }]
      chain.submit({ hash: txHash, moves, unknownTokenRecipients: [], failed: false, expiresAt })
      return 'accepted'
    }),
    outcome: machine.remote(async (txHash) => {
      const solid = chain.blocks.slice(0, chain.solid)
      const block = solid.find(({ transactions }) => transactions.includes(txHash))
      const through = solid.at(-1)
      if (through === undefined) throw new Error('the chain has no solid block')
      if (block === undefined) return { type: 'absent', through }
      const moved = block.transfers.some((each) => each.txHash === txHash)
      return { type: moved ? 'confirmed' : 'failed' }
    }),
  }
}

function solidBalances(chain: SimulatedChain, accounts: readonly ChainAccount[]) {
  const balances = new Map<ChainAccount, bigint>(accounts.map((account) => [account, 0n]))
  for (const { transfers } of chain.blocks.slice(0, chain.solid))
    for (const { from, to, value } of transfers) {
      const [sent, got] = [balances.get(from), balances.get(to)]
      if (sent !== undefined) balances.set(from, sent - value)
      if (got !== undefined) balances.set(to, (balances.get(to) ?? 0n) + value)
    }
  return { from: chain.solid, through: chain.solid, balances }
}

const noSweeps = (chain: SimulatedChain, machine: Machine): SweepChain => ({
  tokenBalances: machine.remote(async (asked) => solidBalances(chain, asked)),
  cost: machine.remote(async () => undefined),
  build: () => Promise.reject(new Error('sweeps are not simulated')),
  join: () => undefined,
})
