import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Hash of contracts and addresses, in hex. */
export const keccak = (bytes: Uint8Array): string => Buffer.from(keccak_256(bytes)).toString('hex')

/** Hash of blocks and transactions. */
export const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
