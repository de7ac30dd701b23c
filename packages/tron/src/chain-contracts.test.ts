import { setTimeout as wait } from 'node:timers/promises'
import { broadcasterContract, chainReaderContract, type OpenChainDriver, sweepChainContract } from '@quipu/contracts'
import { startTronDevnet } from '@quipu/simulators'
import { tronAddressFormat } from './address/address.ts'
import { nodeDriver } from './chain-driver.fixture.ts'
import { accountOfSigner, localDigestSigner } from './transfer/digest-signer.ts'

/** A devnet with a port for each prefix, as java-tron has them. */
const openDevnet =
  (asserts: boolean): OpenChainDriver =>
  async () => {
    const devnet = await startTronDevnet({ now: () => new Date('2026-11-21T12:00:00.000Z'), solidLag: 3 })
    const ownerKey = 'c5'.repeat(32)
    const owner = tronAddressFormat.format(accountOfSigner(localDigestSigner(ownerKey)))
    const tokenContract = devnet.deployToken({ owner, asserts })
    devnet.fund(owner, { sun: 100_000_000_000n })
    devnet.setTokenBalance(owner, 1_000_000n, tokenContract)
    devnet.mine(10)
    return nodeDriver({
      url: (await devnet.addNode({ serves: 'wallet' })).url,
      tokenContract,
      ownerKey,
      solidUrl: (await devnet.addNode({ serves: 'walletsolidity' })).url,
      requestsPerSecond: 1e4,
      nextBlock: async () => void devnet.mine(),
      fork: async (txHash) => void devnet.fork(1, { drop: [txHash] }),
      close: devnet.stop,
    })
  }

/** A real node, which the environment names. */
const openNode =
  (url: string): OpenChainDriver =>
  async () => {
    const variable = (name: string): string => {
      const value = process.env[name]
      if (value === undefined) throw new Error(`set ${name} with QUIPU_TRON_NODE_URL`)
      return value
    }
    return nodeDriver({
      url,
      solidUrl: process.env['QUIPU_TRON_SOLIDITY_NODE_URL'] ?? url,
      tokenContract: variable('QUIPU_TRON_TOKEN'),
      ownerKey: variable('QUIPU_TRON_OWNER_KEY'),
      nextBlock: () => wait(1e3),
      close: async () => {},
    })
  }

const chains: [name: string, open: OpenChainDriver][] = [
  ['the devnet', openDevnet(false)],
  ['the devnet with a token that asserts', openDevnet(true)],
]
const url = process.env['QUIPU_TRON_NODE_URL']
if (url !== undefined) chains.push([url, openNode(url)])

for (const [name, open] of chains) {
  chainReaderContract(name, open)
  broadcasterContract(name, open)
  sweepChainContract(name, open)
}
