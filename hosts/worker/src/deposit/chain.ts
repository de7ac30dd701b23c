import type { ChainReader } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'
import { type ChainProvider, measuredNode, type TimeCall, tronNodeLimits, type TronNodeSettings } from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import {
  checkedNode,
  type ExpectedChain,
  genesisBlockIds,
  tronAddressFormat,
  tronBalanceReader,
  tronBroadcaster,
  tronChainReader,
  tronNode,
  type TronNode,
  tronSweepChain,
} from '@quipu/tron'
import type { Chain } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'

/**
 * Connects to the node that the settings name, and to the second provider's if they name one. Nothing is asked of a
 * node that has not shown the configured chain and token.
 */
export function tronChain(settings: TronWorkerSettings, time: TimeCall<'provider' | 'operation'>): Chain {
  const { TRON_TOKEN_CONTRACT: tokenContract } = settings
  const blocked = new Set(accountsOf(settings.TRON_BLOCKED_ADDRESSES))
  const readerOf = (node: TronNode): ChainReader => tronChainReader({ node, tokenContract, blocked })
  const nodeFor = (provider: ChainProvider, each: TronWorkerSettings, url: string, solidUrl?: string, key?: string) =>
    checkedNode(measuredNode(time, provider, nodeOf(each, url, solidUrl, key)), expectedChain(settings))
  const ofPrimary = [settings.TRON_NODE_URL, settings.TRON_SOLIDITY_NODE_URL, settings.TRON_API_KEY] as const
  const node = nodeFor('primary', settings, ...ofPrimary)
  const { TRON_CHECK_REQUESTS_PER_SECOND: checksPerSecond } = settings
  const checkNode = nodeFor('balances', { ...settings, TRON_REQUESTS_PER_SECOND: checksPerSecond }, ...ofPrimary)
  const {
    TRON_VERIFIER_URL: verifierUrl,
    TRON_VERIFIER_SOLIDITY_URL: verifierSolidUrl,
    TRON_VERIFIER_API_KEY: verifierKey,
  } = settings
  const verifierNode =
    verifierUrl === undefined ? undefined : nodeFor('verifier', settings, verifierUrl, verifierSolidUrl, verifierKey)
  return {
    reader: readerOf(node),
    broadcaster: tronBroadcaster({ node, tokenContract }),
    balances: tronBalanceReader({ node: checkNode, tokenContract }),
    sweepChain: tronSweepChain({ node, tokenContract }),
    verifier: verifierNode && readerOf(verifierNode),
    checkReader: readerOf(checkNode),
    stop: async () => {
      await Promise.all([node.stop(), checkNode.stop(), verifierNode?.stop()])
    },
  }
}

export const accountsOf = (addresses: readonly string[]): readonly ChainAccount[] =>
  addresses.flatMap((address) => tronAddressFormat.parse(address) ?? [])

function expectedChain(settings: TronWorkerSettings): ExpectedChain {
  const { TRON_GENESIS_BLOCK: chain, TRON_TOKEN_CONTRACT: tokenContract } = settings
  return { genesisBlockId: genesisBlockIds[chain as keyof typeof genesisBlockIds] ?? chain, tokenContract, decimals: 6 }
}

const nodeOf = (settings: TronNodeSettings, url: string, solidUrl = url, apiKey?: string): TronNode => {
  const key = apiKey === undefined ? {} : { apiKey }
  return tronNode({ url, solidUrl, ...key, ...tronNodeLimits(settings), timer: systemTimer })
}
