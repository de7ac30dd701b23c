import {
  type Clock,
  defaultDepositRules,
  defaultScanSettings,
  settleFaucetSend,
  scanHead,
  scanSolid,
  settleDeposit,
  type Stores,
} from '@quipu/core'
import { type BlockRef, sha256, type SignedTransfer } from '@quipu/core/adapter'
import { systemIds, systemTimer } from '@quipu/core/system'
import { startTronDevnet, type TronDevnet } from '@quipu/simulators'
import {
  localTransferSigner,
  tronAddresses,
  tronAddressFormat as format,
  tronBroadcaster,
  tronChainReader,
  tronNode,
} from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import type { ScriptedSweepChain } from '@quipu/contracts'
import type { FaucetChain, SweepChainPorts, TopUps } from '../../ports.ts'

/** The address of `m/44'/195'/0'` of the well-known test mnemonic. */
const testXpub =
  'xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd'
const testMacKey = '0f'.repeat(32)
const faucetKey = '01'.repeat(32)
const faucetAddress = 'TCNkawTmcQgYSU8nP8cHswT1QPjharxJr7'

/** The address of the account of zeros, from which tokens never return. */
const zeroAddress = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

/** Wallets that a tenant controls. */
export const ownWallet = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
export const otherWallet = 'TWsm8HtU2A5eEzoT8ev8yaoFjHsXLLrckb'

export const testTopUps: TopUps = {
  addressSource: tronAddresses(testXpub),
  addressMacKeys: [{ id: '1', key: Uint8Array.from(Buffer.from(testMacKey, 'hex')) }],
}

/** A faucet whose chain a test scripts. It accepts every transfer by default. */
export type ScriptedFaucet = FaucetChain & {
  /** The broadcast transfers, in order. */
  readonly sent: SignedTransfer[]
  /** Whether it has tokens. */
  hasTokens: boolean
  /** The node's answer to further broadcasts. */
  answer: () => Promise<'accepted'>
}

export function scriptedFaucet(now: Clock): ScriptedFaucet {
  const sent: SignedTransfer[] = []
  const script: ScriptedFaucet = {
    sent,
    hasTokens: true,
    answer: async () => 'accepted',
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
      prepare: async () => (script.hasTokens ? 1_000_000n : 'insufficient'),
      broadcast: async (transfer) => {
        sent.push(transfer)
        return script.answer()
      },
    },
  }
  return script
}

export const treasury = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

/** Sweeps of the test's top-up addresses on a scripted chain. */
export const sweepPortsOver = ({ chain, reader }: ScriptedSweepChain): SweepChainPorts => ({
  chain,
  reader,
  addressSource: testTopUps.addressSource,
  settings: { treasury: { account: format.parse(treasury) ?? '', address: treasury }, expiresAfterSeconds: 43200 },
  tokenContract: otherWallet,
  pathOf: (index) => `m/44'/195'/0'/0/${index}`,
})

/** A devnet with the faucet's account, and a worker that scans it. */
export type TestChain = {
  readonly devnet: TronDevnet
  readonly faucetChain: FaucetChain
  /** The settings of an API over it. */
  env(): Promise<Record<string, string>>
  /** One pass of a worker: scans both views, and settles due deposits and faucet sends. */
  work(stores: Stores, now: Clock): Promise<void>
  /** Mines until every pending transaction is solid. */
  solidify(): void
  stop(): Promise<void>
}

export async function testChain(now?: Clock): Promise<TestChain> {
  const devnet = await startTronDevnet({ solidLag: 3, ...(now && { now }) })
  const { url, tokenContract } = devnet
  devnet.fund(faucetAddress, { sun: 1_000_000_000_000n })
  devnet.setTokenBalance(faucetAddress, 1_000_000_000_000n)
  devnet.setTokenBalance(ownWallet, 1_000_000_000_000n)
  const node = tronNode({ url, requestsPerSecond: 10_000, timer: systemTimer })
  const reader = tronChainReader({ node, tokenContract })
  const broadcaster = tronBroadcaster({ node, tokenContract, replicaLagBlocks: 0 })
  const signer = localTransferSigner({ tokenContract, privateKey: faucetKey })
  return {
    devnet,
    faucetChain: { format, reader, signer, broadcaster },
    env: async () => ({
      TRON_NODE_URL: url,
      TRON_TOKEN_CONTRACT: tokenContract,
      TRON_GENESIS_BLOCK: (await reader.ref('head', 0))?.id ?? '',
      TRON_XPUB: testXpub,
      ADDRESS_MAC_KEY: testMacKey,
      TRON_REQUESTS_PER_SECOND: '10000',
      FAUCET_PRIVATE_KEY: faucetKey,
    }),
    async work(stores, now) {
      const raiseAlert = (): void => undefined
      const recording = { encodeEvent, ids: systemIds, now, raiseAlert }
      const ports = { ...stores, reader, broadcaster, format, ...testTopUps, ...recording }
      const settings = { ...defaultScanSettings, firstBlock: 1 }
      for (const scan of [scanHead(ports, settings), scanSolid(ports, settings)])
        while ((await scan()).state === 'more');
      const rules = { rules: defaultDepositRules, serviceAccounts: [signer.account] }
      const due = await stores.deposits.claimDue(100, 60)
      await Promise.all(due.map(settleDeposit(ports, rules)))
      const sends = await stores.faucet.claimDue(100, 60)
      await Promise.all(sends.map(settleFaucetSend(ports)))
    },
    solidify() {
      const { number } = devnet.mine()
      while (devnet.head('solid').number < number) devnet.mine()
    },
    async stop() {
      await node.stop()
      await devnet.stop()
    },
  }
}
