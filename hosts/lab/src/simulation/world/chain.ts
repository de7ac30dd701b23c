import { chainNodes, type EventLoop, forkingChain, type Machine } from '@quipu/contracts/simulation'
import type { Broadcaster, ChainReader, TransferSigner } from '@quipu/core'
import { type ChainAccount, sha256 } from '@quipu/core/adapter'
import type { BalanceReader, SweepChain } from '@quipu/core/operator'
import type { Conditions } from '../scenario/scenario.ts'
import { balanceReaderOf, sweepChainOf } from './sweep-chain.ts'
import { broadcasterOf, faucetAccount, type TransferChain } from './transfers.ts'

export type SimulatedChain = TransferChain & { from(machine: Machine): ChainLinks }

/** The chain as one process calls it. */
export type ChainLinks = {
  readonly reader: ChainReader
  readonly broadcaster: Broadcaster
  readonly balances: BalanceReader
  readonly sweepChain: SweepChain
}

export function simulatedChain(
  loop: EventLoop,
  conditions: Conditions,
  accounts: readonly ChainAccount[],
): SimulatedChain {
  const forking = forkingChain(loop, conditions.forks, accounts)
  const { nodeFaults, forgeries, staleness } = conditions
  const nodes = chainNodes(loop, forking, accounts, { faults: nodeFaults, forgeries, staleness })
  const chain: SimulatedChain = Object.assign(forking, {
    loop,
    nodes,
    built: new Map(),
    onSend: () => undefined,
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
