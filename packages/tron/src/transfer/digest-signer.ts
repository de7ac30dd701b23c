import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainAccount } from '@quipu/core/adapter'
import { accountOf } from '../address/address.ts'

/** A secp256k1 key, in this process or in a key management service. */
export type DigestSigner = {
  /** Compressed or uncompressed point: 33 or 65 bytes. */
  readonly publicKey: Uint8Array
  /**
   * Signs the 32 bytes without hashing them.
   *
   * @returns an ECDSA signature in DER
   * @throws Unavailable if the key cannot be reached
   */
  sign(digest: Uint8Array): Promise<Uint8Array>
}

/** @param privateKey  64 hex digits */
export function localDigestSigner(privateKey: string): DigestSigner {
  if (!/^[0-9a-f]{64}$/i.test(privateKey)) throw new RangeError('A private key has 64 hex digits.') // The message must not contain it.
  const secret = Buffer.from(privateKey, 'hex')
  return {
    publicKey: secp256k1.getPublicKey(secret, false),
    async sign(digest) {
      return secp256k1.sign(digest, secret, { prehash: false, format: 'der' })
    },
  }
}

export const accountOfSigner = ({ publicKey }: DigestSigner): ChainAccount =>
  accountOf(secp256k1.Point.fromBytes(publicKey).toBytes(false))

/**
 * Signs in the format of Tron's nodes: r, the lower s, and the recovery bit, which is found by trying
 * because DER does not contain it.
 *
 * @returns 65 bytes in hex; the last is `1b` or `1c`
 */
export async function signDigest(signer: DigestSigner, digest: Uint8Array): Promise<string> {
  const original = secp256k1.Signature.fromBytes(await signer.sign(digest), 'der')
  const signature = original.hasHighS()
    ? new secp256k1.Signature(original.r, secp256k1.Point.Fn.neg(original.s))
    : original
  const expected = secp256k1.Point.fromBytes(signer.publicKey)
  for (const recovery of [0, 1]) {
    const matches = signature.addRecoveryBit(recovery).recoverPublicKey(digest).equals(expected)
    if (matches) return signature.toHex('compact') + (27 + recovery).toString(16)
  }
  throw new Error('The signature does not match the public key.')
}
