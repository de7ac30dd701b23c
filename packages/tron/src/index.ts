/**
 * Tron for @quipu/core: top-up addresses, chain reader, transfer signer and broadcaster.
 *
 * @module @quipu/tron
 */
export { tronAddressFormat } from './address.ts'
export { tronBroadcaster, type TronBroadcasterOptions } from './broadcaster.ts'
export { tronChainReader, type TronChainReaderOptions } from './chain-reader.ts'
export { checkChain, type ExpectedChain, genesisBlockIds } from './check-chain.ts'
export type { DigestSigner } from './digest-signer.ts'
export { tronAddresses } from './top-up-addresses.ts'
export {
  localTransferSigner,
  type LocalTransferSignerOptions,
  tronTransferSigner,
  type TronTransferSignerOptions,
} from './transfer-signer.ts'
export { tronNode, type TronNode, type TronNodeOptions } from './tron-node.ts'
