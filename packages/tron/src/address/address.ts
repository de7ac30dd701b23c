import { hash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createBase58check } from '@scure/base'
import type { AddressFormat } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'

const base58check = createBase58check((bytes: Uint8Array) => hash('sha256', bytes, 'buffer'))

/** First byte of every address outside the virtual machine. */
const prefix = '41'
const isAccount = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** `T…` in base58check. */
export const tronAddressFormat: AddressFormat = {
  format: (account) => base58check.encode(Buffer.from(toHexAddress(account), 'hex')),
  parse(address) {
    if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) return undefined
    try {
      const hex = Buffer.from(base58check.decode(address)).toString('hex')
      return hex.startsWith(prefix) && hex.length === 42 ? hex.slice(2) : undefined
    } catch {
      return undefined
    }
  },
}

/** The format of nodes: `41` and 40 hex digits. */
export function toHexAddress(account: ChainAccount): string {
  if (!isAccount(account)) throw new RangeError(`${account} is not an account of 40 hex digits`)
  return prefix + account
}

/** @throws RangeError if `address` is not `T…` */
export function readAddress(address: string): ChainAccount {
  const account = tronAddressFormat.parse(address)
  if (account === undefined) throw new RangeError(`${address} is not a Tron address`)
  return account
}

/** @param publicKey  uncompressed, 65 bytes */
export const accountOf = (publicKey: Uint8Array): ChainAccount =>
  Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex')
