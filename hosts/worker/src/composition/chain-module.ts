import type { Account, Broadcaster, ChainReader } from '@quipu/core'
import { onceChecked, systemTimer, type WithTron } from '@quipu/runtime'
import {
  checkChain,
  genesisBlockIds,
  tronAddressFormat,
  tronBroadcaster,
  tronChainReader,
  tronNode,
  type TronNode,
} from '@quipu/tron'
import { ContainerModule } from 'inversify'
import type { WorkerSettings } from '../settings/settings.ts'
import { named } from './symbols.ts'

type Settings = WithTron<WorkerSettings>

const NODE = named<TronNode>('TronNode')
const VERIFIER_NODE = named<TronNode | undefined>('VerifierNode')
export const READER = named<ChainReader>('ChainReader')
export const BROADCASTER = named<Broadcaster>('Broadcaster')
/** The second provider's reader, if there is one. */
export const VERIFIER = named<ChainReader | undefined>('Verifier')
/** Resolves once the node has proved to be of the chain that is configured. */
export const CHECKED = named<() => Promise<void>>('CheckedChain')

/** The chain's nodes, and who reads them. */
export const chainModule = (settings: Settings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const readerOf = (node: TronNode): ChainReader => {
      const blocked = new Set(accountsOf(settings.TRON_BLOCKED_ADDRESSES))
      return tronChainReader({ node, tokenContract: settings.TRON_TOKEN_CONTRACT, blocked })
    }
    bind(READER).toResolvedValue(readerOf, [NODE]).inSingletonScope()
    bind(BROADCASTER)
      .toResolvedValue(
        (node: TronNode) => tronBroadcaster({ node, tokenContract: settings.TRON_TOKEN_CONTRACT }),
        [NODE],
      )
      .inSingletonScope()
    bind(VERIFIER)
      .toResolvedValue((node?: TronNode) => node && readerOf(node), [VERIFIER_NODE])
      .inSingletonScope()
    bind(CHECKED)
      .toResolvedValue((node: TronNode) => onceChecked(() => check(settings, node)), [NODE])
      .inSingletonScope()
    bind(NODE)
      .toResolvedValue(() => {
        const { TRON_NODE_URL: url, TRON_SOLIDITY_NODE_URL, TRON_API_KEY } = settings
        return nodeOf(settings, url, TRON_SOLIDITY_NODE_URL, TRON_API_KEY)
      })
      .inSingletonScope()
      .onDeactivation((node) => node.stop())
    bind(VERIFIER_NODE)
      .toResolvedValue(() => {
        const {
          TRON_VERIFIER_URL: url,
          TRON_VERIFIER_SOLIDITY_URL,
          TRON_VERIFIER_API_KEY,
        } = settings
        if (url === undefined) return undefined
        return nodeOf(settings, url, TRON_VERIFIER_SOLIDITY_URL, TRON_VERIFIER_API_KEY)
      })
      .inSingletonScope()
      .onDeactivation((node) => node?.stop())
  })

export const accountsOf = (addresses: readonly string[]): readonly Account[] =>
  addresses.flatMap((address) => tronAddressFormat.parse(address) ?? [])

function check(settings: Settings, node: TronNode): Promise<void> {
  const { TRON_GENESIS_BLOCK: chain, TRON_TOKEN_CONTRACT: tokenContract } = settings
  const genesisBlockId = genesisBlockIds[chain as keyof typeof genesisBlockIds] ?? chain
  return checkChain(node, { genesisBlockId, tokenContract, decimals: 6 })
}

const nodeOf = (
  { TRON_REQUESTS_PER_SECOND: requestsPerSecond }: Settings,
  url: string,
  solidUrl = url,
  apiKey?: string,
): TronNode => {
  const key = apiKey === undefined ? {} : { apiKey }
  return tronNode({ url, solidUrl, ...key, requestsPerSecond, timer: systemTimer })
}
