import {
  accountOf,
  type EventLoop,
  type ForkingChain,
  type Machine,
  type Nodes,
  signatureOf,
} from '@quipu/contracts/simulation'
import type { Broadcaster } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'

/** The chain with its nodes, and the transfers of the faucet and of sweeps. */
export type TransferChain = ForkingChain & {
  readonly loop: EventLoop
  readonly nodes: Nodes
  /** The transfers that the faucet has signed, and the sweeps that processes have built, by their hash. */
  readonly built: Map<string, BuiltTransfer>
  /** Called when the network gets a transfer. */
  onSend: (transfer: BuiltTransfer) => void
}

export const faucetAccount: ChainAccount = accountOf('faucet')

/** A transfer that was built: its hash covers all of it. */
export type BuiltTransfer = {
  readonly txHash: string
  readonly from: ChainAccount
  readonly to: ChainAccount
  readonly value: bigint
  readonly expiresAt: Date
}

export const isSweep = ({ from }: Pick<BuiltTransfer, 'from'>): boolean => from !== faucetAccount

/** The balance of an account in the blocks up to this one. */
export function balanceAt({ blocks }: Pick<TransferChain, 'blocks'>, account: ChainAccount, number: number): bigint {
  let balance = 0n
  for (const { transfers } of blocks.slice(0, number))
    for (const { from, to, value } of transfers) {
      if (to === account) balance += value
      if (from === account) balance -= value
    }
  return balance
}

/** The solid block that every node has. */
export const oldestSolid = ({ nodes, solid }: TransferChain): number => Math.max(1, solid - nodes.staleness)

/** Gives a node the signed transfer: it includes it in one of its next blocks, unless it expires before or gets lost. */
export function send(chain: TransferChain, transfer: BuiltTransfer): void {
  const { txHash: hash, from, to, value, expiresAt } = transfer
  chain.onSend(transfer)
  chain.submit({
    hash,
    moves: [{ from, to, value }],
    unknownTokenRecipients: [],
    failed: false,
    expiresAt,
    ...(isSweep(transfer) && { isFailing: () => balanceAt(chain, from, chain.blocks.length) < value }),
  })
}

/** The nodes as one process sends transfers to them. */
export function broadcasterOf(chain: TransferChain, machine: Machine): Broadcaster {
  const { nodes, loop } = chain
  return {
    canReceive: () => true,
    prepare: machine.remote(() => nodes.answer(async () => 27_000_000n)),
    broadcast: machine.remote(async ({ txHash, bytes }) => {
      const transfer = chain.built.get(txHash)
      if (transfer === undefined || !isSigned(transfer, bytes)) return 'stopped'
      // A node can accept a transfer, or not answer, whether or not others then learn of it.
      if (!loop.chance(nodes.faults)) send(chain, transfer)
      return nodes.answer(async () => 'accepted' as const)
    }),
    outcome: machine.remote((txHash) =>
      nodes.answer(async () => {
        const solid = chain.blocks.slice(0, nodes.newest('solid'))
        const block = solid.find(({ transactions }) => transactions.includes(txHash))
        const through = chain.blocks[oldestSolid(chain) - 1]
        if (through === undefined) throw new Error('the chain has no solid block')
        if (block === undefined) return { type: 'absent', through }
        const moved = block.transfers.some((each) => each.txHash === txHash)
        return { type: moved ? 'confirmed' : 'failed' }
      }),
    ),
  }
}

const isSigned = (transfer: BuiltTransfer, bytes: Uint8Array): boolean =>
  !isSweep(transfer) || new TextDecoder().decode(bytes).endsWith(signatureOf(transfer.from, transfer.txHash))
