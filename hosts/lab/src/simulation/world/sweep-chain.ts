import { accountOf, type Machine, signatureOf, unsignedTransfer } from '@quipu/contracts/simulation'
import { MAX_MINOR } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'
import type { BalanceReader, SweepChain, SweepSettings } from '@quipu/core/operator'
import { tronAddressFormat } from '@quipu/tron'
import { balanceAt, oldestSolid, type TransferChain } from './transfers.ts'

export const treasuryAccount: ChainAccount = accountOf('treasury')

/** Transfers expire soon, so that a seed ends soon. */
export const sweepSettings: SweepSettings = {
  treasury: { account: treasuryAccount, address: tronAddressFormat.format(treasuryAccount) },
  expiresAfterSeconds: 200,
}

/** In sun. */
const [energyFee, feeLimit, trxNeeded] = [20n, 30n, 20n]

/** The chain of sweeps as one process calls it. A node can state a high price of energy, and that TRX is missing. */
export function sweepChainOf(chain: TransferChain, machine: Machine): SweepChain {
  const { nodes, loop } = chain
  return {
    ...balanceReaderOf(chain, machine),
    cost: machine.remote((from, _to, { minor }) =>
      nodes.answer(async () => {
        const balance = balanceAt(chain, from, nodes.newest('head'))
        if (balance < minor || minor > MAX_MINOR) return undefined
        const isDear = loop.chance(nodes.faults)
        const trxMissing = loop.chance(nodes.faults) ? 5n : 0n
        const fee = isDear ? feeLimit + 1n : energyFee
        return { energy: 64_285n, energyFee: fee, feeLimit, trxNeeded, trxMissing }
      }),
    ),
    build: async (from, { to, amount, at, expiresAt }) => {
      const order = { from, to, minor: amount.minor, at, expiresAt }
      const unsigned = unsignedTransfer(order)
      const { txHash } = unsigned
      chain.built.set(txHash, { txHash, from, to, value: amount.minor, expiresAt })
      return unsigned
    },
    join: ({ txHash, rawHex, expiresAt }, account, signature) =>
      signature === signatureOf(account, txHash)
        ? { txHash, expiresAt, bytes: new TextEncoder().encode(rawHex + signature) }
        : undefined,
  }
}

/** Balances in solid blocks, each account's by another node. */
export const balanceReaderOf = (chain: TransferChain, machine: Machine): BalanceReader => ({
  tokenBalances: machine.remote((accounts: readonly ChainAccount[]) => {
    const { nodes, solid } = chain
    const balances = new Map(accounts.map((each) => [each, balanceAt(chain, each, nodes.newest('solid'))]))
    return nodes.answer(async () => ({ from: oldestSolid(chain), through: solid, balances, unread: [] }))
  }),
})
