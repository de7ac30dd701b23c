import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainAccount } from '@quipu/core/adapter'
import { accountOf } from '../address/address.ts'

/** A key on secp256k1 that signs what it is given: in this process, or in a key management service. */
export type DigestSigner = {
  /** The point, compressed or not: 33 or 65 bytes. */
  readonly publicKey: Uint8Array
  /**
   * Signs the 32 bytes as they are, without hashing them again.
   *
   * @returns an ECDSA signature in DER
   * @throws Unavailable when the keeper of the key cannot be reached
   */
  sign(digest: Uint8Array): Promise<Uint8Array>
}

/** @param privateKey  64 hex digits */
export function localDigestSigner(privateKey: string): DigestSigner {
  if (!/^[0-9a-f]{64}$/i.test(privateKey)) throw new RangeError('A private key has 64 hex digits.') // And is not repeated.
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
 * A signature as Tron's nodes want it: r, the lower of the two s, and which of two keys it is of,
 * found by trying, since DER does not say.
 *
 * @returns 65 bytes in hex; the last is `1b` or `1c`
 */
export async function signDigest(signer: DigestSigner, digest: Uint8Array): Promise<string> {
  const given = secp256k1.Signature.fromBytes(await signer.sign(digest), 'der')
  const signature = given.hasHighS()
    ? new secp256k1.Signature(given.r, secp256k1.Point.Fn.neg(given.s))
    : given
  const wanted = secp256k1.Point.fromBytes(signer.publicKey)
  for (const recovery of [0, 1]) {
    const isOurs = signature.addRecoveryBit(recovery).recoverPublicKey(digest).equals(wanted)
    if (isOurs) return signature.toHex('compact') + (27 + recovery).toString(16)
  }
  throw new Error('The signature is not of the public key.')
}
