import { type ChainReader, Unavailable } from '@quipu/core'
import { onceChecked, systemTimer, isTronConfigured } from '@quipu/runtime'
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
import { type FundingSettings, hasFaucet, type WithFaucet } from '../settings/funding-settings.ts'
import { FAUCET_CHAIN, named, TOP_UPS } from '../ports.ts'

const NODE = named<TronNode>('TronNode')

/** What the settings name: an account that top-up addresses are derived from, a chain for the faucet. */
export const fundingAdapters = (
  settings: FundingSettings & { readonly ENVIRONMENT: 'sandbox' | 'production' },
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TOP_UPS).toConstantValue(
      isTronConfigured(settings)
        ? { source: tronAddresses(settings.TRON_XPUB), addressMacKey: settings.ADDRESS_MAC_KEY }
        : undefined,
    )
    if (!hasFaucet(settings)) {
      bind(FAUCET_CHAIN).toConstantValue(undefined)
      return
    }
    bind(FAUCET_CHAIN)
      .toResolvedValue((node: TronNode) => faucetChain(settings, node), [NODE])
      .inSingletonScope()
    bind(NODE)
      .toResolvedValue(() => nodeOf(settings))
      .inSingletonScope()
      .onDeactivation((node) => node.stop())
  })

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

/** Nothing is signed before the node has proved to be of the chain that is configured. */
function faucetChain(settings: WithFaucet, node: TronNode) {
  const { TRON_TOKEN_CONTRACT: tokenContract, FAUCET_PRIVATE_KEY: privateKey } = settings
  const chain = settings.TRON_GENESIS_BLOCK
  const genesisBlockId = genesisBlockIds[chain as keyof typeof genesisBlockIds] ?? chain
  const checked = onceChecked(() =>
    checkChain(node, { genesisBlockId, tokenContract, decimals: 6 }).catch((cause: unknown) => {
      throw new Unavailable('chain', 'it is not the one that is configured', { cause })
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
