import type { TronDevnet } from '@quipu/simulators'
import { tronAddressFormat } from '@quipu/tron'
import { setTimeout as pause } from 'node:timers/promises'
import { solidLag } from '@quipu/local/testing'

const blockMs = 500

/** Mines, forks, and sends tokens to tenants. */
export type ChainDriver = {
  /** Sends an amount, and continues to send random ones. */
  fund(address: string, value: bigint): void
  /** Sends nothing more; resolves when all transfers so far are solid. Mining goes on. */
  stopTransfers(): Promise<void>
  stop(): Promise<void>
}

const sender = tronAddressFormat.format('5e'.repeat(20))

export function driveChain(chain: TronDevnet, random: () => number): ChainDriver {
  const addresses: string[] = []
  let isSending = true
  let isMining = true
  chain.setTokenBalance(sender, 10n ** 15n)
  chain.mine(solidLag * 3)
  const tick = (): void => {
    // Each amount has its own micro units, so that a lost or doubled one shows in the sum.
    const address = addresses[Math.floor(random() * addresses.length * 3)]
    if (isSending && address !== undefined)
      chain.transfer({ from: sender, to: address, value: 1_000_001n + amountBelow(9_000_000, random) })
    if (random() < 0.1) {
      const depth = 1 + Math.floor(random() * (solidLag - 1))
      chain.fork(depth, isSending && random() < 0.3 ? { drop: 'all' } : {})
    } else chain.mine()
  }
  const mining = (async () => {
    while (isMining) {
      tick()
      await pause(blockMs)
    }
  })()
  return {
    fund(address, value) {
      addresses.push(address)
      chain.transfer({ from: sender, to: address, value })
      chain.mine(solidLag + 2)
    },
    async stopTransfers() {
      isSending = false
      chain.mine()
      chain.mine(solidLag + 2)
    },
    async stop() {
      isMining = false
      await mining
    },
  }
}

const amountBelow = (limit: number, random: () => number): bigint => BigInt(Math.floor(random() * limit))
