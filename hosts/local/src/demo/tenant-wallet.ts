import { usdt } from '@quipu/core'
import { systemTimer } from '@quipu/core/system'
import { localTransferSigner, tronAddressFormat, tronBroadcaster, tronChainReader, tronNode } from '@quipu/tron'
import type { LocalFile } from '../start/data-folder/local-file.ts'

/** The demo tenant's own wallet on the devnet. */
export type TenantWallet = {
  readonly address: string
  /** Signs and sends a transfer of test USDT. @returns the transaction's id */
  send(to: string, microUsdt: bigint): Promise<string>
}

const expiresInMs = 60_000

export function tenantWallet({ url, token_contract: tokenContract, wallet }: LocalFile['tron']): TenantWallet {
  return {
    address: wallet.address,
    async send(address, microUsdt) {
      const node = tronNode({ url, requestsPerSecond: 1_000, timer: systemTimer })
      try {
        const signer = localTransferSigner({ tokenContract, privateKey: wallet.private_key })
        const broadcaster = tronBroadcaster({ node, tokenContract })
        const [to, amount] = [tronAddressFormat.parse(address), usdt(microUsdt)]
        if (to === undefined) throw new Error(`${address} is not a Tron address`)
        const feeLimit = await broadcaster.prepare(signer.account, to, amount)
        if (typeof feeLimit === 'string') throw new Error(`${wallet.address} cannot pay the fees of a transfer`)
        const reference = await tronChainReader({ node, tokenContract }).head('solid')
        const [at, expiresAt] = [new Date(), new Date(reference.at.getTime() + expiresInMs)]
        const transfer = await signer.sign({ to, amount, feeLimit, reference, at, expiresAt })
        await broadcaster.broadcast(transfer)
        return transfer.txHash
      } finally {
        await node.stop()
      }
    },
  }
}
