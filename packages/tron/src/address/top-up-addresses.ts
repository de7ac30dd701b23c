import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { AddressSource } from '@quipu/core'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { accountOf, tronAddressFormat } from './address.ts'

/** Depth of `m/44'/195'/account'`. */
const accountDepth = 3

/**
 * Derives the addresses `m/44'/195'/account'/0/index` from the account's extended public key. That key
 * together with any child's private key reveals the account's private key, so keep it secret too.
 *
 * @param xpub  extended public key of `m/44'/195'/account'`
 * @throws Error if it is another key; the message does not contain a private key
 */
export function tronAddresses(xpub: string): AddressSource {
  const addresses = readAccountKey(xpub).deriveChild(0)
  return {
    derive(index) {
      if (!Number.isInteger(index) || index < 0 || index >= HARDENED_OFFSET)
        throw new RangeError(`index ${index} is not between 0 and 2^31 - 1`)
      const { publicKey } = addresses.deriveChild(index)
      if (!publicKey) throw new Error(`There is no key at index ${index}.`)
      const account = accountOf(secp256k1.Point.fromBytes(publicKey).toBytes(false))
      return { account, address: tronAddressFormat.format(account) }
    },
  }
}

/**
 * The derivation path of an index, such as `m/44'/195'/0'/0/7`.
 *
 * @param xpub  as for `tronAddresses`
 */
export function tronAddressPath(xpub: string): (index: number) => string {
  const account = readAccountKey(xpub).index - HARDENED_OFFSET
  return (index) => `m/44'/195'/${account}'/0/${index}`
}

function readAccountKey(xpub: string): HDKey {
  const expected = "the extended public key (xpub) of m/44'/195'/account'"
  if (xpub.startsWith('xprv')) throw new Error(`Top-up addresses need ${expected}: this is a private key.`)
  const key = parseKey(xpub)
  if (!key || key.privateKey) throw new Error(`Top-up addresses need ${expected}.`)
  if (key.depth !== accountDepth || key.index < HARDENED_OFFSET)
    throw new Error(
      `Top-up addresses need ${expected}: depth ${accountDepth} and hardened, this has depth ${key.depth}.`,
    )
  return key
}

function parseKey(xpub: string): HDKey | undefined {
  try {
    return HDKey.fromExtendedKey(xpub)
  } catch {
    return undefined
  }
}
