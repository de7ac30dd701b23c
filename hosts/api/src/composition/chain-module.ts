import type { ChainReader } from '@quipu/core'
import { chainCalls, isTronConfigured, measuredNode, type Metrics, tronNodeLimits, type WithTron } from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import {
  checkedNode,
  genesisBlockIds,
  localTransferSigner,
  tronAddresses,
  tronAddressPath,
  tronAddressFormat,
  tronBroadcaster,
  tronChainReader,
  tronNode,
  type TronNode,
  tronSweepChain,
} from '@quipu/tron'
import { ContainerModule } from 'inversify'
import type { FaucetChain, SweepChainPorts, TopUps } from '../ports.ts'
import { hasFaucet, type WithFaucet } from '../settings/funding-settings.ts'
import type { ApiSettings } from '../settings/settings.ts'
import { hasSweeps, type WithSweeps } from '../settings/sweep-settings.ts'
import { CHAIN, symbol } from './symbols.ts'

const NODE = symbol<TronNode>('TronNode')

/** The source of top-up addresses, what reads the chain, and the chains of the faucet and of sweeps. */
export const chainModule = (settings: ApiSettings, metrics: Metrics): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const topUps = topUpsOf(settings)
    if (!isTronConfigured(settings)) {
      bind(CHAIN).toConstantValue({ topUps })
      return
    }
    bind(CHAIN).toResolvedValue(
      (node) => {
        const chainReader = tronChainReader({ node, tokenContract: settings.TRON_TOKEN_CONTRACT })
        return {
          topUps,
          chainReader,
          addressFormat: tronAddressFormat,
          ...(hasFaucet(settings) && { faucetChain: faucetChainOf(settings, node, chainReader) }),
          ...(hasSweeps(settings) && { sweepChain: sweepChainOf(settings, node, chainReader) }),
        }
      },
      [NODE],
    )
    bind(NODE)
      .toResolvedValue(() => nodeOf(settings, metrics))
      .onDeactivation((node) => node.stop())
  })

function topUpsOf(settings: ApiSettings): TopUps | undefined {
  if (!isTronConfigured(settings)) return undefined
  return { addressSource: tronAddresses(settings.TRON_XPUB), addressMacKeys: settings.ADDRESS_MAC_KEY }
}

/** Nothing is asked of it before it has shown the configured chain and token. */
function nodeOf(settings: WithTron<ApiSettings>, metrics: Metrics): TronNode {
  const { TRON_NODE_URL: url, TRON_SOLIDITY_NODE_URL: solidUrl, TRON_API_KEY: apiKey } = settings
  const { TRON_TOKEN_CONTRACT: tokenContract, TRON_GENESIS_BLOCK: chain } = settings
  const node = tronNode({
    url,
    ...(solidUrl !== undefined && { solidUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...tronNodeLimits(settings),
    timer: systemTimer,
  })
  const genesisBlockId = genesisBlockIds[chain as keyof typeof genesisBlockIds] ?? chain
  return checkedNode(measuredNode(chainCalls(metrics), 'primary', node), { genesisBlockId, tokenContract, decimals: 6 })
}

function faucetChainOf(settings: WithFaucet, node: TronNode, reader: ChainReader): FaucetChain {
  const { TRON_TOKEN_CONTRACT: tokenContract, FAUCET_PRIVATE_KEY: privateKey } = settings
  return {
    format: tronAddressFormat,
    reader,
    signer: localTransferSigner({ tokenContract, privateKey }),
    broadcaster: tronBroadcaster({ node, tokenContract }),
  }
}

/** Has public keys only. */
function sweepChainOf(settings: WithSweeps, node: TronNode, reader: ChainReader): SweepChainPorts {
  const { TRON_TOKEN_CONTRACT: tokenContract, SWEEP_TREASURY_ADDRESS: address } = settings
  return {
    chain: tronSweepChain({ node, tokenContract }),
    reader,
    addressSource: tronAddresses(settings.TRON_XPUB),
    settings: {
      treasury: { account: tronAddressFormat.parse(address) ?? '', address },
      expiresAfterSeconds: settings.SWEEP_EXPIRES_HOURS * 3_600,
    },
    tokenContract,
    pathOf: tronAddressPath(settings.TRON_XPUB),
  }
}
