import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { keccak, sha256 } from './digest.ts'

/** 21 bytes in lower-case hex: `41` and the 20 bytes of the virtual machine's address. */
export type Address = string

const base58check = createBase58check(nobleSha256)

/** The base58 form with a checksum, `T…`. */
export const toBase58 = (address: Address): string => base58check.encode(Buffer.from(address, 'hex'))

/** Parses `T…` or `41…` in hex. @returns null if it is neither */
export function parseAddress(text: string): Address | null {
  if (/^41[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === 0x41 ? Buffer.from(bytes).toString('hex') : null
  } catch {
    return null
  }
}

/** An address without a key, derived from a label: for contracts and witnesses. */
export const labelledAddress = (label: string): Address =>
  `41${sha256(Buffer.from(label)).toString('hex').slice(0, 40)}`

/**
 * The address whose key signed the digest.
 *
 * @param signature  65 bytes in hex: r, s, and v as 0, 1, 27 or 28
 * @returns null if the signature is invalid
 */
export function recoverSigner(digest: Uint8Array, signature: string): Address | null {
  if (!/^[0-9a-f]{130}$/i.test(signature)) return null
  const bytes = Buffer.from(signature, 'hex')
  const v = bytes[64] ?? 0
  try {
    const publicKey = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
      .addRecoveryBit(v >= 27 ? v - 27 : v)
      .recoverPublicKey(digest)
      .toBytes(false)
    return `41${keccak(publicKey.subarray(1)).slice(24)}`
  } catch {
    return null
  }
}
