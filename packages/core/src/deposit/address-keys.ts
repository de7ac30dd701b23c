import type { KeyRing } from '../key-ring/key-ring.ts'
import { addressIntegrityError } from './address-mac.ts'
import type { AddressSource } from './chain.ts'
import type { TopUpAddressStore } from './ports.ts'

/** The ports of `addressKeysError`. */
export type AddressKeysPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'keyUse' | 'sample'>
  readonly source: AddressSource
  /** The keys of the top-up addresses' MACs, as in `ensureTopUpAddress`. */
  readonly addressMacKeys: KeyRing
}

/** How many addresses of a key are checked. One that passes proves the key. */
const sampleSize = 20

/**
 * Whether this process can check the addresses: its key ring has every key in use, and its extended public key
 * derives them. A key is in use when it made two addresses or more, or all there are; a single row that names
 * another one is that row's fault.
 *
 * @returns what is wrong; null when nothing is
 * @throws Unavailable when the store cannot be read
 */
export async function addressKeysError({
  addresses,
  source,
  addressMacKeys,
}: AddressKeysPorts): Promise<string | null> {
  const use = await addresses.keyUse()
  const total = use.reduce((sum, { count }) => sum + count, 0)
  for (const { keyId, count } of use) {
    if (count < Math.min(2, total)) continue
    const sample = await addresses.sample(keyId, sampleSize)
    const isProven = sample.some(
      (each) => addressIntegrityError(addressMacKeys, source, each) === null,
    )
    if (!isProven && sample.length > 0)
      return (
        `none of ${count} top-up addresses of key ${keyId} passes its check: ` +
        'ADDRESS_MAC_KEY or TRON_XPUB is not the one of this installation'
      )
  }
  return null
}
