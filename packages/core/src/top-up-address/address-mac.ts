import { isMacOf, type KeyRing, macOf } from '../key-ring/key-ring.ts'
import type { AddressSource } from '../chain/chain.ts'
import type { TopUpAddress, TopUpAddressStore } from './ports.ts'

type Authenticated = Pick<TopUpAddress, 'tenantId' | 'chain' | 'index' | 'address'>

/**
 * The MAC that binds an address to its tenant and index: write access to the database alone does not
 * suffice to give a tenant another address. It begins with the id of its key and a dot.
 *
 * @param keys of at least 32 bytes, shared by the processes that create and that scan addresses; the first makes the MAC
 */
export const addressMac = (keys: KeyRing, address: Authenticated): string => macOf(keys, textOf(address))

const textOf = ({ tenantId, chain, index, address }: Authenticated): string =>
  JSON.stringify(['v1', tenantId, chain, index, address])

/** Whether the row's MAC matches, compared in constant time. */
export const hasValidMac = (keys: KeyRing, topUp: Authenticated & Pick<TopUpAddress, 'mac'>): boolean =>
  isMacOf(keys, textOf(topUp), topUp.mac)

/** Why the row cannot be the one that was created; null when it can. */
export function addressIntegrityError(keys: KeyRing, source: AddressSource, topUp: TopUpAddress): string | null {
  if (!hasValidMac(keys, topUp)) return 'its MAC does not match'
  const { account, address } = source.derive(topUp.index)
  if (account === topUp.account && address === topUp.address) return null
  return `index ${topUp.index} derives another address`
}

/** The ports of `addressKeysError`. */
export type AddressKeysPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'keyUse' | 'sample'>
  readonly addressSource: AddressSource
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
  addressSource,
  addressMacKeys,
}: AddressKeysPorts): Promise<string | null> {
  const use = await addresses.keyUse()
  const total = use.reduce((sum, { count }) => sum + count, 0)
  for (const { keyId, count } of use) {
    if (count < Math.min(2, total)) continue
    const sample = await addresses.sample(keyId, sampleSize)
    const isProven = sample.some((each) => addressIntegrityError(addressMacKeys, addressSource, each) === null)
    if (!isProven && sample.length > 0)
      return (
        `none of ${count} top-up addresses of key ${keyId} passes its check: ` +
        'ADDRESS_MAC_KEY or TRON_XPUB is not the one of this installation'
      )
  }
  return null
}
