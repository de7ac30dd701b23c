import { type ChainReader, Unavailable } from '@quipu/core'
import { isTronConfigured, onceChecked, systemTimer } from '@quipu/runtime'
import {
  checkChain,
  genesisBlockIds,
  localTransferSigner,
  tronAddresses,
  tronAddressFormat,
  tronBroadcaster,
  tronChainReader,
  tronNode,
  type TronNode,
} from '@quipu/tron'
import { ContainerModule } from 'inversify'
import type { FaucetChain, TopUps } from '../ports.ts'
import { hasFaucet, type WithFaucet } from '../settings/funding-settings.ts'
import type { ApiSettings } from '../settings/settings.ts'
import { CHAIN, symbol } from './symbols.ts'

const NODE = symbol<TronNode>('TronNode')

/** The source of top-up addresses, and the chain of the faucet. */
export const chainModule = (settings: ApiSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const topUps = topUpsOf(settings)
    if (!hasFaucet(settings)) {
      bind(CHAIN).toConstantValue({ topUps })
      return
    }
    bind(CHAIN).toResolvedValue(
      (node) => ({ topUps, faucetChain: faucetChainOf(settings, node) }),
      [NODE],
    )
    bind(NODE)
      .toResolvedValue(() => nodeOf(settings))
      .onDeactivation((node) => node.stop())
  })

function topUpsOf(settings: ApiSettings): TopUps | undefined {
  if (!isTronConfigured(settings)) return undefined
  return { source: tronAddresses(settings.TRON_XPUB), addressMacKey: settings.ADDRESS_MAC_KEY }
}

function nodeOf(settings: WithFaucet): TronNode {
  const { TRON_NODE_URL: url, TRON_SOLIDITY_NODE_URL: solidUrl, TRON_API_KEY: apiKey } = settings
  return tronNode({
    url,
    ...(solidUrl !== undefined && { solidUrl }),
    ...(apiKey !== undefined && { apiKey }),
    requestsPerSecond: settings.TRON_REQUESTS_PER_SECOND,
    timer: systemTimer,
  })
}

/** Signs nothing before the node has proved that it serves the configured chain. */
function faucetChainOf(settings: WithFaucet, node: TronNode): FaucetChain {
  const { TRON_TOKEN_CONTRACT: tokenContract, FAUCET_PRIVATE_KEY: privateKey } = settings
  const chain = settings.TRON_GENESIS_BLOCK
  const genesisBlockId = genesisBlockIds[chain as keyof typeof genesisBlockIds] ?? chain
  const checked = onceChecked(() =>
    checkChain(node, { genesisBlockId, tokenContract, decimals: 6 }).catch((cause: unknown) => {
      throw new Unavailable('chain', 'the node does not serve the configured chain', { cause })
    }),
  )
  const reader = tronChainReader({ node, tokenContract })
  const head: ChainReader['head'] = async (view) => {
    await checked()
    return reader.head(view)
  }
  return {
    format: tronAddressFormat,
    reader: { chain: reader.chain, head },
    signer: localTransferSigner({ tokenContract, privateKey }),
    broadcaster: tronBroadcaster({ node, tokenContract }),
  }
}
