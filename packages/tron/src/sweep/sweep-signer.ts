import { hash } from 'node:crypto'
import { usdt } from '@quipu/core'
import type { SweepSigner } from '@quipu/core/operator'
import { HDKey } from '@scure/bip32'
import { z } from 'zod'
import { readAddress, toHexAddress } from '../address/address.ts'
import { buildTransfer } from '../transfer/build-transfer.ts'
import { accountOfSigner, type DigestSigner, localDigestSigner, signDigest } from '../transfer/digest-signer.ts'
import { feeLimitMaxDefault } from '../transfer/fee-limit.ts'

/** The treasury and the chain that a signer of sweeps accepts. */
export type TronSweepSignerOptions = {
  /** `T…`, from the signer's own configuration: a file or a host may name another one. */
  readonly treasury: string
  /** `T…` */
  readonly tokenContract: string
  /** The key of a derivation index. */
  readonly keyAt: (index: number) => DigestSigner
  /** Maximum fee limit that it signs, in sun; 100 TRX by default. */
  readonly feeLimitMax?: bigint
}

const Unsigned = z.object({
  raw_data: z.object({
    ref_block_bytes: z.string().regex(/^[0-9a-f]{4}$/),
    ref_block_hash: z.string().regex(/^[0-9a-f]{16}$/),
    expiration: z.int(),
    timestamp: z.int(),
    fee_limit: z.int().min(0),
  }),
})

/**
 * Signs sweeps to one treasury: on a machine without a network, or before a key management service.
 *
 * Builds the transfer of this amount from this address to its own treasury, and signs only if that gives exactly
 * the bytes to sign. So it trusts no other member of what it gets.
 */
export function tronSweepSigner(options: TronSweepSignerOptions): SweepSigner {
  const { keyAt, feeLimitMax = feeLimitMaxDefault } = options
  const to = readAddress(options.treasury)
  const contract = toHexAddress(readAddress(options.tokenContract))
  return {
    async sign({ index, address, amount, rawHex, transaction }) {
      const refuse = (reason: string): Error => new Error(`the sweep of ${address} ${reason}`)
      const key = keyAt(index)
      const account = accountOfSigner(key)
      if (readAddress(address) !== account) throw refuse(`is not of the key at index ${index}`)
      const { raw_data: raw } = Unsigned.parse(JSON.parse(transaction))
      if (BigInt(raw.fee_limit) > feeLimitMax) throw refuse('has too high a fee limit')
      const reference = {
        number: parseInt(raw.ref_block_bytes, 16),
        id: '0'.repeat(16) + raw.ref_block_hash,
        at: new Date(raw.timestamp),
      }
      const expected = buildTransfer(contract, toHexAddress(account), {
        to,
        amount: usdt(amount.minor),
        feeLimit: BigInt(raw.fee_limit),
        reference,
        at: new Date(raw.timestamp),
        expiresAt: new Date(raw.expiration),
      })
      if (expected.raw_data_hex !== rawHex)
        throw refuse('has other bytes than the transfer of its amount to the treasury')
      return signDigest(key, hash('sha256', Buffer.from(rawHex, 'hex'), 'buffer'))
    },
  }
}

/**
 * The keys `m/44'/195'/account'/0/index`, for an offline signer.
 *
 * @param xprv  extended private key of `m/44'/195'/account'`; errors do not contain it
 */
export function tronSweepKeys(xprv: string): (index: number) => DigestSigner {
  const account = parseKey(xprv)
  return (index) => {
    const { privateKey } = account.deriveChild(0).deriveChild(index)
    if (!privateKey) throw new Error(`There is no key at index ${index}.`)
    return localDigestSigner(Buffer.from(privateKey).toString('hex'))
  }
}

function parseKey(xprv: string): HDKey {
  const expected = new Error("Sweeps need the extended private key (xprv) of m/44'/195'/account'.")
  if (!xprv.startsWith('xprv')) throw expected
  try {
    return HDKey.fromExtendedKey(xprv)
  } catch {
    throw expected
  }
}
