import {
  chainNodes,
  type EventLoop,
  type ForkingChain,
  forkingChain,
  type Machine,
  type Nodes,
} from '@quipu/contracts/simulation'
import type { Broadcaster, ChainReader, TransferSigner } from '@quipu/core'
import { type ChainAccount, sha256 } from '@quipu/core/adapter'
import type { BalanceReader, SweepChain } from '@quipu/core/operator'
import type { Conditions } from '../scenario/scenario.ts'
import { balanceReaderOf, sweepChainOf } from './sweep-chain.ts'
import { broadcasterOf, type BuiltTransfer } from './transfers.ts'

/** The chain with its nodes, and the transfers of the faucet and of sweeps. */
export type SimulatedChain = ForkingChain & {
  readonly loop: EventLoop
  readonly nodes: Nodes
  /** The transfers that the faucet has signed, and the sweeps that processes have built, by their hash. */
  readonly built: Map<string, BuiltTransfer>
  /** The hash of each transfer that the network has got. */
  readonly sent: Set<string>
  /** Called when the network gets a transfer. */
  onSend: (transfer: BuiltTransfer) => void
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
    ...{ loop, nodes, built: new Map(), sent: new Set<string>(), onSend: () => undefined },
    from: (machine: Machine): ChainLinks => ({
      reader: nodes.from(machine),
      broadcaster: broadcasterOf(chain, machine),
      balances: balanceReaderOf(chain, machine),
      sweepChain: sweepChainOf(chain, machine),
    }),
  })
  return chain
}

/** Signs with the faucet's key. The hash covers the whole order. */
export const faucetSigner = ({ built }: Pick<SimulatedChain, 'built'>): TransferSigner => ({
  account: faucetAccount,
  sign: async (order) => {
    const { to, amount, reference, at, expiresAt } = order
    const text = [to, amount.minor, reference.id, at.getTime(), expiresAt.getTime()].join(' ')
    const txHash = sha256(text)
    built.set(txHash, { txHash, from: faucetAccount, to, value: amount.minor, expiresAt })
    return { txHash, bytes: new TextEncoder().encode(text), expiresAt }
  },
})
