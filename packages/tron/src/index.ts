/**
 * Tron for @quipu/core: top-up addresses, chain reader, transfer signer and broadcaster.
 *
 * @module @quipu/tron
 */
export { tronAddressFormat } from './address/address.ts'
export { tronBalanceReader, type TronBalanceReaderOptions } from './block/balance-reader.ts'
export { tronBroadcaster, type TronBroadcasterOptions } from './transfer/broadcaster.ts'
export { tronChainReader, type TronChainReaderOptions } from './block/chain-reader.ts'
export { checkChain, checkedNode, type ExpectedChain, genesisBlockIds } from './check-chain.ts'
export type { DigestSigner } from './transfer/digest-signer.ts'
export { tronSweepChain, type TronSweepChainOptions } from './sweep/sweep-chain.ts'
export { tronSweepKeys, tronSweepSigner, type TronSweepSignerOptions } from './sweep/sweep-signer.ts'
export { tronAddressPath, tronAddresses } from './address/top-up-addresses.ts'
export {
  localTransferSigner,
  type LocalTransferSignerOptions,
  tronTransferSigner,
  type TronTransferSignerOptions,
} from './transfer/transfer-signer.ts'
export { tronNode, type TronNode, type TronNodeOptions, unservedView } from './node/tron-node.ts'
