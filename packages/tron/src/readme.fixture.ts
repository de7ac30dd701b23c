import type { AddressSource, Broadcaster, ChainReader, TransferSigner } from '@quipu/core'
import { systemTimer as timer } from '@quipu/core/system'
import * as tron from '@quipu/tron'

export type Tron = {
  readonly addresses: AddressSource
  readonly reader: ChainReader
  readonly signer: TransferSigner
  readonly broadcaster: Broadcaster
  stop(): Promise<void>
}

export type TronKeys = {
  /** Extended public key of m/44'/195'/account', the parent of the top-up addresses. */
  readonly xpub: string
  /** Private key of the faucet's wallet. */
  readonly privateKey: string
}

/**
 * @param url  such as https://api.shasta.trongrid.io, which also requires an `apiKey`
 * @param chain  genesis block id such as `tron.genesisBlockIds.shasta`, token contract and decimals
 */
export async function openTron(url: string, chain: tron.ExpectedChain, { xpub, privateKey }: TronKeys): Promise<Tron> {
  const { tokenContract } = chain
  const node = tron.tronNode({ url, timer })
  await tron.checkChain(node, chain)
  return {
    addresses: tron.tronAddresses(xpub),
    reader: tron.tronChainReader({ node, tokenContract }),
    signer: tron.localTransferSigner({ tokenContract, privateKey }),
    broadcaster: tron.tronBroadcaster({ node, tokenContract }),
    stop: () => node.stop(),
  }
}
