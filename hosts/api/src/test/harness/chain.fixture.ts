import type { Clock } from '@quipu/core'
import { type BlockRef, sha256 } from '@quipu/core/adapter'
import { tronAddresses, tronAddressFormat as format } from '@quipu/tron'
import type { ScriptedSweepChain } from '@quipu/contracts'
import type { FaucetChain, SweepChainPorts, TopUps } from '../../ports.ts'

/** The address of `m/44'/195'/0'` of the well-known test mnemonic. */
const testXpub =
  'xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd'
const testMacKey = '0f'.repeat(32)
const faucetAddress = 'TCNkawTmcQgYSU8nP8cHswT1QPjharxJr7'

/** The address of the account of zeros, from which tokens never return. */
const zeroAddress = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

/** A wallet that a tenant controls, and another account. */
export const ownWallet = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
const otherWallet = 'TWsm8HtU2A5eEzoT8ev8yaoFjHsXLLrckb'

export const testTopUps: TopUps = {
  addressSource: tronAddresses(testXpub),
  addressMacKeys: [{ id: '1', key: Uint8Array.from(Buffer.from(testMacKey, 'hex')) }],
}

/** A faucet on a chain that accepts every transfer. */
export const scriptedFaucet = (now: Clock): FaucetChain => ({
  format,
  reader: { chain: 'tron', head: async (): Promise<BlockRef> => ({ number: 7, id: '00', at: now() }) },
  signer: {
    account: format.parse(faucetAddress) ?? '',
    sign: async ({ to, amount, at, expiresAt }) => {
      const text = [to, amount.minor, at.getTime(), expiresAt.getTime()].join()
      return { txHash: sha256(text), bytes: new TextEncoder().encode(text), expiresAt }
    },
  },
  broadcaster: {
    canReceive: (account) => account !== format.parse(zeroAddress),
    prepare: async () => 1_000_000n,
    broadcast: async () => 'accepted',
  },
})

const treasury = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

/** Sweeps of the test's top-up addresses on a scripted chain. */
export const sweepPortsOver = ({ chain, reader }: ScriptedSweepChain): SweepChainPorts => ({
  chain,
  reader,
  addressSource: testTopUps.addressSource,
  settings: { treasury: { account: format.parse(treasury) ?? '', address: treasury }, expiresAfterSeconds: 43200 },
  tokenContract: otherWallet,
  pathOf: (index) => `m/44'/195'/0'/0/${index}`,
})
