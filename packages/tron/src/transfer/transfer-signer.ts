import { hash } from 'node:crypto'
import type { TransferSigner } from '@quipu/core'
import { readAddress, toHexAddress } from '../address/address.ts'
import { buildTransfer } from './build-transfer.ts'
import { accountOfSigner, type DigestSigner, localDigestSigner, signDigest } from './digest-signer.ts'

/** The token contract and the bounds of a signed transfer. */
export type TronTransferSignerOptions = {
  /** `T…` */
  readonly tokenContract: string
  readonly signer: DigestSigner
}

/**
 * Builds and signs transfers of one token without requests. An equal order gives the same bytes; `at`
 * distinguishes orders that are otherwise equal.
 */
export function tronTransferSigner(options: TronTransferSignerOptions): TransferSigner {
  const { tokenContract, signer } = options
  const contract = toHexAddress(readAddress(tokenContract))
  const account = accountOfSigner(signer)
  return {
    account,
    async sign(order) {
      const transaction = buildTransfer(contract, toHexAddress(account), order)
      const digest = hash('sha256', Buffer.from(transaction.raw_data_hex, 'hex'), 'buffer')
      const signature = [await signDigest(signer, digest)]
      return {
        txHash: digest.toString('hex'),
        bytes: Buffer.from(JSON.stringify({ ...transaction, signature })),
        expiresAt: order.expiresAt,
      }
    },
  }
}

/** A signer whose private key is in this process. */
export type LocalTransferSignerOptions = {
  /** `T…` */
  readonly tokenContract: string
  /** 64 hex digits. */
  readonly privateKey: string
}

/** Signs with a key in this process. */
export const localTransferSigner = (options: LocalTransferSignerOptions): TransferSigner =>
  tronTransferSigner({ ...options, signer: localDigestSigner(options.privateKey) })
