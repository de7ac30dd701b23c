import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { keccak, sha256 } from './digest.ts'

/** 21 bytes in lower-case hex: `41` and the 20 bytes that the virtual machine knows. */
export type Address = string

const base58check = createBase58check(nobleSha256)

/** As people write it: `T…`, with a checksum. */
export const toBase58 = (address: Address): string =>
  base58check.encode(Buffer.from(address, 'hex'))

/** Reads `T…` or `41…` in hex; null when it is neither. */
export function parseAddress(text: string): Address | null {
  if (/^41[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === 0x41 ? Buffer.from(bytes).toString('hex') : null
  } catch {
    return null
  }
}

/** An address that no key belongs to: for contracts, witnesses, and whoever needs no key. */
export const madeAddress = (label: string): Address =>
  `41${sha256(Buffer.from(label)).toString('hex').slice(0, 40)}`

/**
 * Who signed this digest.
 *
 * @param signature  65 bytes in hex: r, s, and v as 0, 1, 27 or 28
 * @returns null when it is no signature
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
